import { isDeepStrictEqual } from "node:util";
import { ledgerCalls } from "./ledger-calls.ts";

/** The result of a tool of the ledger. */
export type LedgerOutcome =
  | { readonly data: object }
  | { readonly code: string; readonly type: string; readonly message: string; readonly remediation: string };

/** A tool of the ledger. */
export interface LedgerTool {
  readonly description: string;
  readonly properties: object;
  readonly required: readonly string[];
  readonly annotations: object;
  readonly meta?: object;
  run(args: Readonly<Record<string, unknown>>): LedgerOutcome;
}

const account = { type: "string", enum: ["cash", "bank"] };
const reads = { readOnlyHint: true };

/** Ends the process with an error if a tool is asked to write something that is not an expected call. */
function insistOnCall(tool: string, args: object): void {
  const isAsked = ledgerCalls.calls.some(
    (call) => call.tool === tool && isDeepStrictEqual(call.arguments, args),
  );
  if (isAsked) return;
  process.stderr.write(`${tool} was called unasked: ${JSON.stringify(args)}\n`);
  process.exit(99);
}

/** Creates tools that read and tools that write. Each server has separate books, and no tool pages. */
export function createLedgerTools(): ReadonlyMap<string, LedgerTool> {
  const started = performance.now();
  const titles: Record<string, string> = { cash: "Cash", bank: "Bank" };
  const entries = [
    { entry_id: 1, account: "cash", cents: 1200 },
    { entry_id: 2, account: "bank", cents: -300 },
  ];
  const noAccount = {
    code: "NOT_FOUND",
    type: "not_found",
    message: "Account not found",
    remediation: "Use cash or bank.",
  };
  return new Map<string, LedgerTool>([
    [
      "clock",
      {
        description: "The state of the ledger, at this moment.",
        properties: {},
        required: [],
        annotations: reads,
        run: () => ({
          data: {
            status: "open",
            checked_at: new Date().toISOString(),
            uptime_ms: Math.round((performance.now() - started) * 1000) / 1000,
          },
        }),
      },
    ],
    [
      "entries",
      {
        description: "All entries, of one account where it is named.",
        properties: { account },
        required: [],
        annotations: { ...reads, idempotentHint: true },
        run: ({ account: wanted }) => {
          const rows = entries.filter((entry) => wanted === undefined || entry.account === wanted);
          return { data: { entries: rows, count: rows.length, as_of: new Date().toISOString() } };
        },
      },
    ],
    [
      "account",
      {
        description: "One account. Actions: balance (reads), rename (writes).",
        properties: {
          action: { type: "string", enum: ["balance", "rename"] },
          account,
          title: { type: "string" },
        },
        required: ["action", "account"],
        annotations: { readOnlyHint: false, destructiveHint: false },
        meta: { "foundry-mcp/actions": { balance: { readOnly: true, idempotent: true }, rename: {} } },
        run(args) {
          const name = String(args["account"]);
          if (args["action"] === "rename") {
            insistOnCall("account", args);
            titles[name] = String(args["title"]);
          }
          const cents = entries.reduce((sum, entry) => sum + (entry.account === name ? entry.cents : 0), 0);
          return { data: { account: name, title: titles[name], cents } };
        },
      },
    ],
    [
      "book",
      {
        description: "Books an amount on an account.",
        properties: { account: { type: "string" }, cents: { type: "integer" } },
        required: ["account", "cents"],
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
        run(args) {
          insistOnCall("book", args);
          if (args["account"] !== "cash") return noAccount;
          const entry = { entry_id: entries.length + 1, account: "cash", cents: Number(args["cents"]) };
          entries.push(entry);
          return { data: entry };
        },
      },
    ],
    [
      "close_year",
      {
        description: "Closes a year for good.",
        properties: { year: { type: "integer" } },
        required: ["year"],
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
        run(args) {
          insistOnCall("close_year", args);
          if (args["year"] === 2024) return { data: { year: 2024, closed: true } };
          return {
            code: "INVALID_STATE",
            type: "conflict",
            message: "The year 1999 has no entries",
            remediation: "Close a year that has entries.",
          };
        },
      },
    ],
  ]);
}
