import type { Rule } from "./rule.ts";

const area = "refusals";

/** Rules about refusals of bad calls. */
export const refusalRules = {
  "MCP-21": {
    area,
    level: "MUST",
    title: "A call without a required argument is refused",
    remedy: "Validate the arguments first, and fail with MISSING_REQUIRED.",
    breaks: { "missing-accepted": "accepts a call without an argument that the schema requires" },
  },
  "MCP-22": {
    area,
    level: "MUST",
    title: "An argument that its schema does not admit is refused",
    remedy: "Validate the arguments first, and fail with INVALID_FORMAT.",
    breaks: {
      "wrong-type-accepted": "accepts an object for an argument whose schema requires a text",
      "range-ignored": "accepts a number below the minimum of the schema",
    },
  },
  "MCP-23": {
    area,
    level: "MUST",
    title: "null for a required argument is refused",
    remedy: "Treat an argument that is null as absent, and refuse the call if the argument is required.",
    breaks: { "null-accepted": 'converts null to the text "null" for a required argument' },
  },
  "MCP-24": {
    area,
    level: "SHOULD",
    title: "null for an optional argument has the same effect as leaving it out",
    remedy:
      "Treat an argument that is null as absent: many models send null for arguments that they do not want to set.",
    breaks: { "null-refused": "refuses null for an optional argument" },
  },
  "MCP-25": {
    area,
    level: "SHOULD",
    title: "An argument that the tool does not know is refused",
    remedy:
      "Refuse unknown arguments by name: a call whose misspelt argument is ignored does not do what was asked.",
    breaks: { "unknown-ignored": "ignores unknown arguments" },
  },
  "MCP-26": {
    area,
    level: "MUST",
    title: "An action that the tool does not know is refused",
    remedy: "Fail with VALIDATION_ERROR and list the actions of the tool.",
    breaks: { "unknown-action-accepted": "runs the first action of a tool if the action is unknown" },
  },
  "MCP-27": {
    area,
    level: "MUST",
    title: "A tool that does not exist is refused",
    remedy: "Answer with JSON-RPC error -32602 and put the envelope into the data of the error.",
    breaks: { "unknown-tool-accepted": "answers calls of unknown tools as if the tools existed" },
  },
  "MCP-28": {
    area,
    level: "MUST",
    title: "A bad call of a tool that exists is answered with a result, not with a JSON-RPC error",
    remedy: "Send a tool result with isError and the failure envelope: models do not see protocol errors.",
    breaks: { "protocol-error": "answers bad arguments with JSON-RPC error -32602" },
  },
  "MCP-29": {
    area,
    level: "SHOULD",
    title: "The refusal of a bad argument is of type validation and names the argument",
    remedy: "Fail with a code of type validation, and name the argument in details.field and in the message.",
    breaks: {
      "bad-argument-internal": "reports a missing argument as INTERNAL_ERROR, of type internal",
      "bad-argument-unnamed": 'refuses bad arguments with the words "Invalid input" and no details',
    },
  },
  "MCP-30": {
    area,
    level: "SHOULD",
    title: "The refusal of an unknown tool carries the failure envelope in error.data",
    remedy: "Put the envelope into the data of JSON-RPC error -32602.",
    breaks: { "unknown-tool-bare": "refuses an unknown tool with JSON-RPC error -32602 and no data" },
  },
  "MCP-31": {
    area,
    level: "SHOULD",
    title: "The refusal of an unknown action names known actions",
    remedy: "List the known actions in the remediation, the nearest match first.",
    breaks: { "actions-unnamed": "refuses an unknown action without naming a known action" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
