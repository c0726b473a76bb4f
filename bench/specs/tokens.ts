import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { specIdOf, taskIdOf } from "./sample-specs.ts";
import { openStdioServer } from "./stdio-server.ts";
import type { Arguments, WarmServer } from "./warm-server.ts";

/** Tokens of something that a server sends, o200k, and how many it may have. */
export interface TokenRow {
  readonly what: string;
  readonly tokens: number;
  readonly target: number;
  readonly verdict: "met" | "MISSED";
}

/** Counts the definitions of tools as a client is sent them. */
export async function countDefinitions(folder: string): Promise<readonly TokenRow[]> {
  const rows: TokenRow[] = [];
  for (const [tools, target] of [
    ["core", 2_000],
    ["all", 6_000],
  ] as const) {
    const server = await openStdioServer(folder, ["--tools", tools]);
    try {
      rows.push(toRow(`tool definitions, --tools ${tools}`, await server.listTools(), target));
    } finally {
      await server.close();
    }
  }
  return rows;
}

const budget = 20_000;

/** Counts the largest answer of every read, at 10,000 nodes and with the default budget. */
export async function countReplies({ call }: WarmServer): Promise<readonly TokenRow[]> {
  const spec_id = specIdOf(10_000);
  const task_id = taskIdOf(10_000, 6_000);
  const reads: readonly (readonly [string, Arguments])[] = [
    ["task", { action: "next", spec_id }],
    ["task", { action: "prepare", spec_id }],
    ["task", { action: "info", spec_id, task_id }],
    ["task", { action: "info", spec_id, task_id: "phase-6" }],
    ["task", { action: "query", spec_id }],
    ["task", { action: "query", spec_id, limit: 500 }],
    ["task", { action: "hierarchy", spec_id, limit: 1_000 }],
    ["task", { action: "progress", spec_id }],
    ["task", { action: "check-deps", spec_id, task_id }],
    ["task", { action: "list-blocked", spec_id, limit: 500 }],
    ["spec", { action: "list", limit: 1_000 }],
    ["spec", { action: "get", spec_id }],
    ["spec", { action: "find", spec_id }],
    ["spec", { action: "validate", spec_id }],
    ["spec", { action: "stats", spec_id }],
    ["spec", { action: "analyze-deps", spec_id, bottleneck_threshold: 1 }],
    ["spec", { action: "schema" }],
    ["spec", { action: "search", query: "section", spec_id, limit: 500 }],
  ];
  const rows: TokenRow[] = [];
  for (const [tool, args] of reads) {
    const { action, spec_id: _, ...rest } = args;
    const more = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
    rows.push(toRow(`${tool} ${String(action)}${more}`, await call(tool, args), budget));
  }
  return rows;
}

function toRow(what: string, value: unknown, target: number): TokenRow {
  const tokens = encode(JSON.stringify(value)).length;
  return { what, tokens, target, verdict: tokens <= target ? "met" : "MISSED" };
}
