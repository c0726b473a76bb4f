import type { Rule } from "./rule.ts";

const area = "fidelity";

/** Rules about answers that were reduced to fit a limit. */
export const fidelityRules = {
  "MCP-51": {
    area,
    level: "MUST",
    title: "Everything that was dropped can be fetched",
    remedy:
      'Store content that is left out, and return it to the same caller from content(action="get", content_id=…).',
    breaks: {
      "dropped-lost": "sends a dropped id for which its tool named content returns CONTENT_NOT_FOUND",
      "no-way-to-fetch": "sends dropped ids although it has no tool named content",
    },
  },
  "MCP-52": {
    area,
    level: "MUST",
    title: "The hash of an archive is the hash of its bytes",
    remedy: 'Hash the bytes that content(action="get", archive_id=…) returns, as sha256: and 64 hex digits.',
    breaks: {
      "hash-differs": "sends a hash in content_archive_hashes that is not the hash of the archived bytes",
    },
  },
  "MCP-53": {
    area,
    level: "MUST",
    title: "An answer keeps to the max_tokens that it was given",
    remedy:
      "Reduce the answer until it fits, fail with CONTENT_TOO_LARGE, or remove the parameter max_tokens.",
    breaks: { "budget-ignored": "has the parameter max_tokens, but answers with 5,000 words" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
