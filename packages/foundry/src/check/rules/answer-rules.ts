import type { Rule } from "./rule.ts";

const area = "answers";

/** Rules about answers in every dialect. */
export const answerRules = {
  "MCP-11": {
    area,
    level: "MUST",
    title: "Structured content and the first text hold the same envelope",
    remedy:
      "Send the envelope as structuredContent and the same envelope as JSON in content[0].text: clients read one or the other.",
    breaks: {
      "text-only": "sends the envelope as text alone",
      "structured-only": 'sends "ok" as its text beside the envelope',
      "channels-differ": "sends one more row in the structured content than in the text",
    },
  },
  "MCP-12": {
    area,
    level: "MUST",
    title: "isError is true for a failure and only then",
    remedy: "Set isError to the opposite of success.",
    breaks: {
      "failure-without-is-error": "sends failures without isError",
      "success-with-is-error": "sends successes with isError true",
    },
  },
  "MCP-13": {
    area,
    level: "SHOULD",
    title: "The caller's request id comes back",
    remedy: 'Take the id of _meta["foundry-mcp/request_id"] for the answer\'s request_id.',
    breaks: { "other-request-id": "makes up a request id of its own for every call" },
  },
  "MCP-14": {
    area,
    level: "MUST",
    title: "A failure tells no stack, no path of the machine and no secret",
    remedy: "Catch errors at the edge and send code, message and remedy of your own; log the rest.",
    breaks: {
      "leaks-stack": "sends the stack of what was thrown in the message of a failure",
      "leaks-path": "names the path of its data file in the details of a failure",
    },
  },
  "MCP-15": {
    area,
    level: "SHOULD",
    title: "No reply is longer than clients read: 25,000 tokens",
    remedy:
      "Page lists, honour max_tokens, or leave parts out and say so: longer replies are cut or refused.",
    breaks: { "huge-reply": "answers with 30,000 words" },
  },
  "MCP-16": {
    area,
    level: "SHOULD",
    title: "A tool that says it is read-only or idempotent gives the same answer twice",
    remedy:
      "Make the answer a function of arguments and state, or drop the hint; times and durations may differ.",
    breaks: { "counts-up": "counts its calls in data although it is read-only" },
  },
  "MCP-17": {
    area,
    level: "MUST",
    title: "Every call is answered in time",
    remedy: "Answer each call, with a failure of code TIMEOUT where the work takes too long.",
    breaks: { hangs: "never answers calls of one tool" },
  },
  "MCP-18": {
    area,
    level: "MUST",
    title: "The server survives every call",
    remedy: "Catch what a call throws: a server that ends loses the calls of everybody else as well.",
    breaks: { crashes: "ends its process when an argument has the wrong type" },
  },
  "MCP-19": {
    area,
    level: "MUST",
    title: "Nothing but messages of the protocol comes over stdout",
    remedy: "Log to stderr: over stdio, stdout belongs to the protocol.",
    breaks: { "prints-logs": "prints a line of log to stdout with every call" },
  },
  "MCP-20": {
    area,
    level: "MUST",
    title: "Calls that were given in a file answer as they are expected to",
    remedy: "Look at the call: either the server or the expectation is wrong.",
    breaks: {
      "other-than-expected": "answers a call with NOT_FOUND of which the calls file expects a success",
    },
  },
} as const satisfies Readonly<Record<string, Rule>>;
