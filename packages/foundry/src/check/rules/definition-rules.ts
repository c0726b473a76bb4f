import type { Rule } from "./rule.ts";

const area = "definitions";

/** Rules about tool definitions in `tools/list`. */
export const definitionRules = {
  "MCP-01": {
    area,
    level: "MUST",
    title: "Tool names are unique and made of 1 to 128 letters, digits, _, - and .",
    remedy: "Give each tool a unique name that matches [A-Za-z0-9_.-]{1,128}.",
    breaks: {
      "name-with-space": 'names a tool "get note", with a space',
      "name-twice": "lists two tools with the same name",
    },
  },
  "MCP-02": {
    area,
    level: "SHOULD",
    title: "Tool names fit every client: at most 64 letters, digits, _ and -",
    remedy:
      "Shorten the name and replace dots with _ or -: some clients refuse longer names and other characters.",
    breaks: {
      "name-with-dot": 'names a tool "notes.get", with a dot',
      "name-too-long": "gives a tool a name of 65 letters",
    },
  },
  "MCP-03": {
    area,
    level: "SHOULD",
    title: "Each tool has a description",
    remedy:
      "Describe in a sentence what the tool does and when to use it: models choose tools by their descriptions.",
    breaks: { "no-description": "lists a tool without a description" },
  },
  "MCP-04": {
    area,
    level: "MUST",
    title: "Each input schema is a JSON Schema of an object",
    remedy: 'Send an inputSchema with type "object" at its root that a validator can compile.',
    breaks: {
      "input-not-object": "gives a tool an input schema of type string",
      "input-not-schema": 'gives a property the type "text", which JSON Schema does not define',
    },
  },
  "MCP-05": {
    area,
    level: "SHOULD",
    title: "No input schema has a choice at its root",
    remedy:
      "Replace oneOf, anyOf and allOf at the root by one object schema: many clients refuse them at the root.",
    breaks: {
      "input-choice": "describes the two actions of a tool with oneOf at the root of the input schema",
    },
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
      "Make the outputSchema admit failure envelopes: clients of SDK 1.x refuse answers that do not match the schema.",
    breaks: {
      "success-only-schema": "declares an output schema that requires error to be null",
    },
  },
  "MCP-08": {
    area,
    level: "MUST",
    title: "Successes match the output schema",
    remedy:
      "Change the answer or the outputSchema so that they match: clients refuse answers that do not match.",
    breaks: { "schema-lie": "declares a number in the output schema and sends a text" },
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
      'Set annotations.readOnlyHint, or _meta["foundry-mcp/actions"] for each action: clients ask the user before other calls.',
    breaks: { "no-hints": "lists a tool without annotations" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
