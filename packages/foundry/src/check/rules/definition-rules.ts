import type { Rule } from "./rule.ts";

const area = "definitions";

/** Rules about tool definitions in `tools/list`. */
export const definitionRules = {
  "MCP-01": {
    area,
    level: "MUST",
    title: "Tool names are unique and made of 1 to 128 letters, digits, _, - and .",
    remedy: "Give each tool a name of its own that matches [A-Za-z0-9_.-]{1,128}.",
    breaks: {
      "name-with-space": 'calls a tool "get note"',
      "name-twice": "lists two tools of one name",
    },
  },
  "MCP-02": {
    area,
    level: "SHOULD",
    title: "Tool names fit every client: at most 64 letters, digits, _ and -",
    remedy: "Shorten the name and use _ or - in place of dots: some clients refuse everything else.",
    breaks: { "name-with-dot": 'calls a tool "notes.get"', "name-too-long": "calls a tool by 65 letters" },
  },
  "MCP-03": {
    area,
    level: "SHOULD",
    title: "Each tool has a description",
    remedy: "Say in a sentence what the tool does and when to use it: models choose by it.",
    breaks: { "no-description": "gives a tool no description" },
  },
  "MCP-04": {
    area,
    level: "MUST",
    title: "Each input schema is a JSON Schema of an object",
    remedy: 'Send an inputSchema with type "object" at its root that a validator can compile.',
    breaks: {
      "input-not-object": "gives a tool an input schema of type string",
      "input-not-schema": 'gives a property the type "text", which JSON Schema does not know',
    },
  },
  "MCP-05": {
    area,
    level: "SHOULD",
    title: "No input schema has a choice at its root",
    remedy: "Flatten oneOf, anyOf and allOf at the root into one object: many clients refuse them there.",
    breaks: { "input-choice": "offers its two actions as oneOf at the root of the input schema" },
  },
  "MCP-06": {
    area,
    level: "SHOULD",
    title: "Each tool declares an output schema",
    remedy: "Declare an outputSchema that describes the envelope.",
    breaks: { "no-output-schema": "declares no output schema" },
  },
  "MCP-07": {
    area,
    level: "MUST",
    title: "The output schema admits failures",
    remedy:
      "Admit the failure envelope in the outputSchema: clients of SDK 1.x refuse what it does not admit.",
    breaks: {
      "success-only-schema": "wants error to be null and data to be its payload in its output schema",
    },
  },
  "MCP-08": {
    area,
    level: "MUST",
    title: "Successes match the output schema",
    remedy: "Make the answer and the outputSchema agree: clients refuse the answer otherwise.",
    breaks: { "schema-lie": "promises a number in data and sends a text" },
  },
  "MCP-09": {
    area,
    level: "SHOULD",
    title: "A definition takes at most 2,000 tokens, and all together at most 10,000",
    remedy: "Shorten descriptions, share parameters between actions, describe less of the output.",
    breaks: { "huge-definition": "describes a tool in 3,000 words" },
  },
  "MCP-10": {
    area,
    level: "SHOULD",
    title: "Each tool says whether it is read-only",
    remedy:
      'Set annotations.readOnlyHint, or _meta["foundry-mcp/actions"] per action: clients ask before all else.',
    breaks: { "no-hints": "has a tool without annotations" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
