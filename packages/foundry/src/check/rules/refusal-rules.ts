import type { Rule } from "./rule.ts";

const area = "refusals";

/** Rules about refusals of bad calls. */
export const refusalRules = {
  "MCP-21": {
    area,
    level: "MUST",
    title: "A call without a required argument is refused",
    remedy: "Validate the arguments and fail with MISSING_REQUIRED before anything is done.",
    breaks: { "missing-accepted": "succeeds without the argument that its schema requires" },
  },
  "MCP-22": {
    area,
    level: "MUST",
    title: "An argument that its schema does not admit is refused",
    remedy: "Validate the arguments and fail with INVALID_FORMAT before anything is done.",
    breaks: {
      "wrong-type-accepted": "succeeds with an object where its schema wants a text",
      "range-ignored": "succeeds with a number below the minimum of its schema",
    },
  },
  "MCP-23": {
    area,
    level: "MUST",
    title: "null for a required argument is refused",
    remedy: "Take null for absent, and refuse what is required and absent.",
    breaks: { "null-accepted": 'takes null for the text "null" in a required argument' },
  },
  "MCP-24": {
    area,
    level: "SHOULD",
    title: "null for an optional argument is as good as leaving it out",
    remedy: "Take null for absent: many models send it for what they do not want to set.",
    breaks: { "null-refused": "refuses null for an optional argument" },
  },
  "MCP-25": {
    area,
    level: "SHOULD",
    title: "An argument that the tool does not know is refused",
    remedy: "Refuse unknown arguments by name: ignoring a misspelt one does something else than was asked.",
    breaks: { "unknown-ignored": "ignores arguments that it does not know" },
  },
  "MCP-26": {
    area,
    level: "MUST",
    title: "An action that the tool does not know is refused",
    remedy: "Fail with VALIDATION_ERROR and name the actions there are.",
    breaks: { "unknown-action-accepted": "treats every action that it does not know as its first" },
  },
  "MCP-27": {
    area,
    level: "MUST",
    title: "A tool that does not exist is refused",
    remedy: "Answer with JSON-RPC error -32602 and the envelope in its data.",
    breaks: { "unknown-tool-accepted": "succeeds whatever the name of the tool" },
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
    remedy: "Fail with a code of type validation, and the argument in details.field and in the message.",
    breaks: {
      "bad-argument-internal": "calls a missing argument an INTERNAL_ERROR of type internal",
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
    title: "The refusal of an unknown action names the actions there are",
    remedy: "Name the actions in the remediation, the nearest match first.",
    breaks: { "actions-unnamed": "refuses an unknown action without a word about the known ones" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
