import type { Rule } from "./rule.ts";

const area = "answers";

/** Rules about answers in every dialect. */
export const answerRules = {
  "MCP-11": {
    area,
    level: "MUST",
    title: "Structured content and the first text are the same envelope",
    remedy:
      "Send the envelope as structuredContent and, as JSON, in content[0].text: some clients read only one of them.",
    breaks: {
      "text-only": "sends the envelope only as text, without structured content",
      "structured-only": 'sends the text "ok" instead of the JSON of the envelope',
      "channels-differ": "sends one more row in the structured content than in the text",
    },
  },
  "MCP-12": {
    area,
    level: "MUST",
    title: "isError is true for failures and for nothing else",
    remedy: "Set isError to the opposite of success.",
    breaks: {
      "failure-without-is-error": "sends failures without isError",
      "success-with-is-error": "sends successes with isError true",
    },
  },
  "MCP-13": {
    area,
    level: "SHOULD",
    title: "An answer has the request id of its call",
    remedy: 'Use the id in _meta["foundry-mcp/request_id"] of the call as request_id of the answer.',
    breaks: { "other-request-id": "ignores the caller's request id and creates a new one" },
  },
  "MCP-14": {
    area,
    level: "MUST",
    title: "A failure contains no stack trace, no path of the server's machine and no secret",
    remedy:
      "Catch all errors, send a code, message and remedy that you have written yourself, and log the original error.",
    breaks: {
      "leaks-stack": "sends the stack of an exception in the message of a failure",
      "leaks-path": "names the path of its data file in the details of a failure",
    },
  },
  "MCP-15": {
    area,
    level: "SHOULD",
    title: "No answer has more than 25,000 tokens",
    remedy:
      "Page lists, obey max_tokens, or leave parts out and report it: clients truncate or refuse longer answers.",
    breaks: { "huge-reply": "sends an answer of 30,000 words" },
  },
  "MCP-16": {
    area,
    level: "SHOULD",
    title: "A tool that is marked read-only or idempotent gives the same answer twice",
    remedy:
      "Make the answer depend only on arguments and state, or remove the hint; times and durations may differ.",
    breaks: { "counts-up": "sends a count of the calls in the answers of a tool that is marked read-only" },
  },
  "MCP-17": {
    area,
    level: "MUST",
    title: "Every call is answered in time",
    remedy: "Answer each call; if the work takes too long, send a failure with the code TIMEOUT.",
    breaks: { hangs: "never answers calls to one of its tools" },
  },
  "MCP-18": {
    area,
    level: "MUST",
    title: "The server survives every call",
    remedy:
      "Catch the exceptions of each call: if the server process ends, all other calls in flight are lost too.",
    breaks: { crashes: "ends its process when an argument has the wrong type" },
  },
  "MCP-19": {
    area,
    level: "MUST",
    title: "Only messages of the protocol are written to stdout",
    remedy: "Write logs to stderr: over stdio, stdout is reserved for the protocol.",
    breaks: { "prints-logs": "prints a log line to stdout with every call" },
  },
  "MCP-20": {
    area,
    level: "MUST",
    title: "Calls of the calls file get the expected answers",
    remedy: "Check whether the server or the expectation is wrong, and fix it.",
    breaks: {
      "other-than-expected": "answers a call with NOT_FOUND although the calls file expects a success",
    },
  },
} as const satisfies Readonly<Record<string, Rule>>;
