import type { CheckerRuleId } from "foundry-mcp/check";

/** The expected result of checking a hostile server. */
export interface HostileServer {
  readonly name: string;
  /** The MUSTs that the server breaks. The list is empty if the behavior is hostile but allowed. */
  readonly breaks?: readonly CheckerRuleId[];
  /** Rules whose result depends on the machine. */
  readonly perhaps?: readonly CheckerRuleId[];
  /** The code of the failure if there is no server that can be checked. */
  readonly fails?: string;
  /** A part of the message or evidence of the first rule, or of the failure. */
  readonly told?: string;
  readonly verdict?: "passed" | "incomplete";
  /** True for servers that are checked in every test run. */
  readonly quick?: boolean;
  /**
   * The time limit of a call in seconds.
   * @default 1 for servers that let calls wait, otherwise 10
   */
  readonly seconds?: number;
  /** The maximum memory of the check in megabytes. */
  readonly megabytes?: number;
}

/** Servers over stdio. */
export const stdioServers: readonly HostileServer[] = [
  { name: "hangs-at-initialize", fails: "TIMEOUT" },
  { name: "hangs-stubbornly", fails: "TIMEOUT" },
  { name: "hangs-at-list", fails: "UPSTREAM_ERROR", told: "did not answer in time", quick: true },
  { name: "hangs-at-calls", breaks: ["MCP-17"], quick: true },
  { name: "hangs-for-good", breaks: ["MCP-17"] },
  { name: "one-byte-a-second", breaks: ["MCP-17"] },
  { name: "asks-first", breaks: ["MCP-17"] },
  // On a busy machine, listing the tools of this server takes a second. With more time, the server would fill the
  // memory.
  { name: "asks-without-end", seconds: 2, perhaps: ["MCP-17"] },
  { name: "ignores-sigterm", verdict: "passed", quick: true },
  { name: "floods-notifications", perhaps: ["MCP-17"] },
  { name: "floods-lines", breaks: ["MCP-19"], perhaps: ["MCP-17"], told: "garbage", quick: true },
  {
    name: "floods-bytes",
    breaks: ["MCP-18"],
    perhaps: ["MCP-19"],
    told: "longer than 67,108,864 bytes",
  },
  { name: "floods-stderr", perhaps: ["MCP-17"] },
  { name: "floods-at-start", fails: "TIMEOUT" },
  { name: "floods-bytes-at-start", fails: "UNAVAILABLE" },
  {
    name: "huge-answer",
    breaks: ["MCP-18"],
    told: "longer than 67,108,864 bytes",
    megabytes: 700,
    quick: true,
  },
  { name: "large-answer", breaks: ["RV2-01"], megabytes: 700 },
  { name: "large-structure", verdict: "passed", megabytes: 1_000 },
  { name: "tiny-lists", seconds: 10, breaks: ["RV2-01"], perhaps: ["MCP-17"], megabytes: 3_000 },
  {
    name: "endless-line",
    breaks: ["MCP-18"],
    told: "longer than 67,108,864 bytes",
    megabytes: 700,
  },
  { name: "huge-list", fails: "UPSTREAM_ERROR", told: "the connection closed", megabytes: 700 },
  { name: "endless-list", breaks: ["MCP-28"] },
  { name: "endless-empty-list", verdict: "incomplete" },
  { name: "many-tools", perhaps: ["MCP-28"] },
  { name: "many-entries", breaks: ["MCP-01"] },
  { name: "many-answers", verdict: "passed" },
  { name: "invalid-json", breaks: ["MCP-17", "MCP-19"], quick: true },
  { name: "not-utf8", breaks: ["MCP-19"] },
  { name: "not-json-rpc", breaks: ["MCP-19"] },
  { name: "banner", breaks: ["MCP-19"], told: "Listening on stdio", quick: true },
  { name: "wrong-id", breaks: ["MCP-17"] },
  { name: "answers-twice", verdict: "passed" },
  { name: "result-and-error", breaks: ["MCP-17", "MCP-19"] },
  { name: "no-result", breaks: ["MCP-17", "MCP-19"] },
  { name: "odd-results", breaks: ["RV2-01", "MCP-08", "MCP-17", "MCP-19", "MCP-21", "MCP-23"] },
  { name: "odd-errors", breaks: ["MCP-17", "MCP-19"], perhaps: ["MCP-28"] },
  { name: "odd-list", breaks: ["MCP-01", "MCP-04"] },
  { name: "list-of-nothing", fails: "UPSTREAM_ERROR", told: "its answer holds no list" },
  { name: "deep-answer", breaks: ["RV2-01"], quick: true },
  { name: "deep-envelope", verdict: "passed" },
  { name: "proto-keys", verdict: "passed" },
  { name: "exits-with-0", fails: "UNAVAILABLE" },
  { name: "exits-with-3", fails: "UNAVAILABLE", told: "cannot read the settings", quick: true },
  { name: "exits-at-first-call", breaks: ["MCP-18"], quick: true },
  { name: "exits-at-list", fails: "UPSTREAM_ERROR", told: "the connection closed" },
  { name: "exits-at-every-call", breaks: ["MCP-18"] },
  { name: "ends-its-output", breaks: ["MCP-17"] },
  { name: "ends-its-input", breaks: ["MCP-18"] },
  { name: "leaves-a-child", verdict: "passed" },
  { name: "leaves-a-child-and-exits", breaks: ["MCP-18"], quick: true },
  {
    name: "evil-pattern",
    breaks: ["MCP-08", "MCP-21", "MCP-22", "MCP-23"],
    perhaps: ["MCP-27"],
    told: "aaaa",
  },
  { name: "evil-patterns", breaks: ["RV2-01", "MCP-08", "MCP-21", "MCP-22", "MCP-23", "MCP-27"] },
  { name: "large-schema", verdict: "incomplete" },
  { name: "many-properties", perhaps: ["MCP-04"] },
  { name: "all-required", perhaps: ["MCP-04"] },
  { name: "deep-schema", breaks: ["MCP-04", "MCP-07"], quick: true },
  { name: "chained-schema", breaks: ["MCP-04", "MCP-07"], megabytes: 700 },
  { name: "reference-circle", breaks: ["MCP-01", "MCP-04", "MCP-07"] },
  { name: "no-values", breaks: ["MCP-01", "MCP-04"] },
  { name: "schema-lie", breaks: ["MCP-07", "MCP-08"], quick: true },
  {
    name: "escapes-everywhere",
    breaks: ["RV2-01", "RV2-05", "MCP-01", "MCP-04", "MCP-14", "MCP-19"],
    quick: true,
  },
  { name: "escapes-at-list", fails: "UPSTREAM_ERROR", told: "owned" },
  { name: "escapes-at-crash", breaks: ["MCP-18"], told: "owned" },
];

/** Servers over HTTP. */
export const httpServers: readonly HostileServer[] = [
  { name: "redirects-in-a-circle", fails: "UPSTREAM_ERROR" },
  { name: "redirects-elsewhere", fails: "UPSTREAM_ERROR" },
  { name: "closes-at-once", fails: "UNAVAILABLE" },
  { name: "status-500", fails: "UNAVAILABLE", told: "HTTP status 500", quick: true },
  { name: "says-nothing", fails: "TIMEOUT" },
  { name: "other-content", fails: "UPSTREAM_ERROR" },
  { name: "endless-body-at-start", fails: "UNAVAILABLE", megabytes: 700 },
  { name: "closes-at-calls", breaks: ["MCP-18"] },
  { name: "status-500-at-calls", breaks: ["MCP-18"] },
  { name: "half-an-answer", breaks: ["MCP-18"] },
  { name: "invalid-json-at-calls", breaks: ["MCP-18"] },
  {
    name: "endless-body",
    breaks: ["MCP-18"],
    told: "longer than 67,108,864 bytes",
    megabytes: 700,
    quick: true,
  },
  { name: "endless-event", seconds: 10, breaks: ["MCP-18"], perhaps: ["MCP-17"], megabytes: 700 },
  { name: "endless-comments", breaks: ["MCP-17"], megabytes: 700 },
  { name: "endless-notifications", breaks: ["MCP-17"], megabytes: 700 },
  { name: "silent-stream", breaks: ["MCP-17"] },
  { name: "stream-that-ends", breaks: ["MCP-18"], quick: true },
];
