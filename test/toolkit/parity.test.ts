import type { Envelope } from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, describe } from "vitest";
import { notesTool } from "./notes-tool.ts";
import { type Ask, describeParity, type ParityTable } from "./parity.suite.ts";
import { plainTools } from "./plain-tools.ts";
import { policyFlags, policyTools } from "./policy-tools.ts";
import { connectSdk } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";

const long = defineTool({
  name: "long",
  version: "1.0.0",
  description: "An answer that no budget holds",
  readOnly: true,
  run: () => ({
    lines: Array.from({ length: 9_000 }, (_, index) => ({ id: `line-${index}`, text: "so it goes" })),
  }),
});

const registry = createRegistry({
  name: "parity",
  version: "1.0.0",
  tools: [...plainTools, notesTool, ...(policyTools ?? []), long],
  flags: await openFlags({ flags: policyFlags }),
  tier: "pro",
  budget: { archive: createMemoryArchive() },
  logger: silentLogger,
});
const http = await serveHttp(registry, { port: 0, logger: silentLogger });
const client = await connectSdk("SDK 2 modern", { url: `${http.url}/mcp` });
afterAll(async () => {
  await client.close();
  await http.close();
});

/** Returns the cursor of the second page. */
const second = (tool: string, action: string) => async (ask: Ask) =>
  (await ask(tool, { action, limit: 1 })).meta.pagination?.cursor;

/** The archived content of the long response. */
async function archived(ask: Ask): Promise<Envelope["meta"]> {
  return (await ask("long", {})).meta;
}
const archiveId = async (ask: Ask) => Object.keys((await archived(ask)).content_archive_hashes ?? {})[0];
const hash = async (ask: Ask) => Object.values((await archived(ask)).content_archive_hashes ?? {})[0];
/** One row of the list: how many rows of a list fit the budget depends on the digits of the duration. */
const contentId = async (ask: Ask) => `${(await archived(ask)).dropped_content_ids?.[0]}/0`;
const whole = async (ask: Ask) => ({ archive_id: await archiveId(ask) });

const noteBook = { limit: 2 };
const table: ParityTable = {
  echo: { base: { text: "hi" }, effects: { text: "- ahoy", times: 2 } },
  nothing: {},
  settled: {
    base: { name: "ada", parent: "x" },
    effects: {
      name: "--grace",
      size: "large",
      tags: ["a,b", "c"],
      since: "2026-01-31",
      parent: "y",
      note: "@@file",
    },
  },
  open: { effects: { known: 1.5 } },
  bare_schema: { base: { even: 4 }, effects: { even: 8 } },
  warned: {},
  attached: {},
  unicode: { base: { テキスト: "語" }, effects: { テキスト: "🚀 語" } },
  half_character: {},
  "note_book read-one": { base: { note_id: "note-03" }, effects: { note_id: "note-04" } },
  "note_book list": { effects: { ...noteBook, min_rank: 20, cursor: second("note_book", "list") } },
  "note_book children": { effects: { ...noteBook, cursor: second("note_book", "children") } },
  "note_book scan": { effects: { ...noteBook, cursor: second("note_book", "scan") } },
  "note_book unpaged": { effects: { limit: 0, cursor: 7 } },
  "note_book pages_unasked": {},
  "ledger read": {},
  "ledger write": {},
  report: { effects: { depth: "trends" } },
  archive_all: {},
  beta: {},
  old: {},
  unflagged: {},
  // The amount of content that fits depends on the length of the remedy in the syntax of the surface.
  long: { isMoving: true },
  "content get": {
    base: whole,
    effects: {
      limit: 5,
      cursor: async (ask: Ask) =>
        cursorOf(await ask("content", { action: "get", limit: 5, ...(await whole(ask)) })),
      archive_id: "arc_0",
      hash,
      content_id: contentId,
    },
  },
  "content list": {
    isMoving: true,
    base: async (ask) => {
      await archived(ask);
      return {};
    },
    effects: { limit: 600, cursor: "x" },
  },
  "content stat": { base: whole, effects: { archive_id: "arc_0", hash, content_id: "no-such-line" } },
  "server tools": { effects: { limit: 1, cursor: second("server", "tools") } },
  "server schema": { base: { tool: "echo" }, effects: { tool: "note_book", for_action: "x" } },
  "server capabilities": {},
  "server capability-negotiate": {
    base: { client_capabilities: { response_contract: "v2" } },
    effects: { client_capabilities: { response_contract: "v9" } },
  },
  "server flags": { effects: { limit: 1, cursor: second("server", "flags") } },
  "server context": { isMoving: true },
  "server health": { isMoving: true },
};

function cursorOf({ meta }: Envelope): unknown {
  return meta.pagination?.cursor;
}

describe("MCP and the command line", () => {
  describeParity(registry, async () => client, table);
});
