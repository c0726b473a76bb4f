import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { crowdedSpec, specIdOf, writeSpec } from "./sample-specs.ts";
import { openStdioServer } from "./stdio-server.ts";
import type { Arguments, WarmServer } from "./warm-server.ts";

/** The number of o200k tokens of a message that a server sends, and the maximum number. */
export interface TokenRow {
  readonly what: string;
  readonly tokens: number;
  readonly target: number;
  readonly verdict: "met" | "MISSED";
}

/** Counts the tokens of the tool definitions that are sent to a client. */
export async function countDefinitions(folder: string): Promise<readonly TokenRow[]> {
  const rows: TokenRow[] = [];
  for (const [tools, target] of [
    ["core", 3_000],
    ["all", 8_000],
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
/** The maximum number of tokens of a task with its context. */
const contextBudget = 1_500;

const nodes = 10_000;

/**
 * Counts the tokens of the answers of every read at 10,000 nodes with the default budget, including the longest
 * possible answers.
 */
export async function countReplies(server: WarmServer): Promise<readonly TokenRow[]> {
  const crowded = "crowded";
  await writeSpec(server.specs, crowded, crowdedSpec(nodes, crowded));
  const rows: TokenRow[] = [];
  for (const [tool, args] of [...toReads(specIdOf(nodes), "task-7-7"), ...toReads(crowded, "task-1-1")]) {
    const { action, ...rest } = args;
    const values = Object.values(rest).map(String).join(" ");
    rows.push(
      toRow(
        `${tool} ${String(action)} ${values}`.trim(),
        await answerOf(server, tool, args),
        isContext(args) ? contextBudget : budget,
      ),
    );
  }
  for (const [tool, args] of [
    ["spec", { action: "list" }],
    ["spec", { action: "list", limit: 1_000 }],
    ["spec", { action: "schema" }],
  ] as const)
    rows.push(toRow(`${tool} ${Object.values(args).join(" ")}`, await answerOf(server, tool, args), budget));
  return rows;
}

function isContext({ action }: Arguments): boolean {
  return action === "next" || action === "prepare";
}

function toReads(spec_id: string, task_id: string): readonly (readonly [string, Arguments])[] {
  return [
    ["task", { action: "next", spec_id }],
    ["task", { action: "prepare", spec_id, task_id }],
    ["task", { action: "info", spec_id, task_id }],
    ["task", { action: "info", spec_id, task_id: "phase-1" }],
    ["task", { action: "query", spec_id }],
    ["task", { action: "query", spec_id, limit: 500 }],
    ["task", { action: "hierarchy", spec_id, limit: 1_000 }],
    ["task", { action: "progress", spec_id }],
    ["task", { action: "check-deps", spec_id, task_id }],
    ["task", { action: "list-blocked", spec_id, limit: 500 }],
    ["task", { action: "wait", spec_id }],
    ["spec", { action: "get", spec_id }],
    ["spec", { action: "find", spec_id }],
    ["spec", { action: "validate", spec_id }],
    ["spec", { action: "validate", spec_id, strict: true }],
    ["spec", { action: "stats", spec_id }],
    ["spec", { action: "analyze-deps", spec_id, bottleneck_threshold: 1 }],
    ["spec", { action: "search", query: "section", spec_id, limit: 500 }],
    ["spec", { action: "history", spec_id, limit: 500 }],
    ["spec", { action: "diff", spec_id }],
    ["spec", { action: "export", spec_id }],
  ];
}

/**
 * Returns an answer, and checks that the answer is the intended one. A strict validation of a spec with errors must
 * fail, and every other call must succeed.
 */
async function answerOf(server: WarmServer, tool: string, args: Arguments): Promise<unknown> {
  const answer = await server.ask(tool, args);
  const isMeant =
    answer.success || (args["strict"] === true && answer.data["error_code"] === "VALIDATION_ERROR");
  if (!isMeant) throw new Error(`A call failed: ${JSON.stringify(answer).slice(0, 400)}`);
  return answer;
}

function toRow(what: string, value: unknown, target: number): TokenRow {
  const tokens = encode(JSON.stringify(value)).length;
  return { what, tokens, target, verdict: tokens <= target ? "met" : "MISSED" };
}
