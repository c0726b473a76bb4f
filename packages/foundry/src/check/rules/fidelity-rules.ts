import type { Rule } from "./rule.ts";

const area = "fidelity";

/** Rules about answers that were reduced to fit. */
export const fidelityRules = {
  "MCP-51": {
    area,
    level: "MUST",
    title: "Everything that was dropped can be fetched",
    remedy:
      'Keep what is left out, and return it from content(action="get", content_id=…) to the same caller.',
    breaks: {
      "dropped-lost": "names a dropped id that its tool content answers with CONTENT_NOT_FOUND",
      "no-way-to-fetch": "names dropped ids and has no tool content",
    },
  },
  "MCP-52": {
    area,
    level: "MUST",
    title: "The hash of an archive is that of its bytes",
    remedy: 'Hash the bytes that content(action="get", archive_id=…) returns, as sha256: and 64 hex digits.',
    breaks: { "hash-differs": "sends a hash in content_archive_hashes that is not that of what it keeps" },
  },
  "MCP-53": {
    area,
    level: "MUST",
    title: "An answer keeps to the max_tokens that it was given",
    remedy: "Reduce the answer until it fits, fail with CONTENT_TOO_LARGE, or do not offer max_tokens.",
    breaks: { "budget-ignored": "takes max_tokens and answers with 5,000 words all the same" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
