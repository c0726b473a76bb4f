import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { createMcpHost, createMcpServer } from "@foundry-mcp/toolkit/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseCalls } from "./calls/calls-file.ts";
import { type PlannedCall, writeCalls } from "./calls/write-calls.ts";
import { checkServer, type ServerCheckOptions } from "./check-server.ts";

const noteId = z.string().describe("Id of a note");

/** A server of notes, of which a note that is locked may only be changed with the token of its lock. */
function createNotes() {
  const notes = new Map<string, { text: string; token?: string }>([["note-1", { text: "one" }]]);
  const find = (id: string, token?: string) => {
    const note = notes.get(id);
    if (note === undefined || note.token !== token) throw new Error("no such note, or locked");
    return note;
  };
  const note = defineTool({
    name: "note",
    version: "1.0.0",
    description: "Notes",
    actions: {
      list: action({
        description: "All",
        readOnly: true,
        run: () => ({ notes: [...notes].map(([id, { text }]) => ({ note_id: id, text })) }),
      }),
      remove: action({
        description: "Remove one",
        input: z.object({ note_id: noteId }),
        run: ({ note_id }) => {
          find(note_id);
          notes.delete(note_id);
          return {};
        },
      }),
      unlock: action({
        description: "Unlock one",
        input: z.object({ note_id: noteId, token: z.string() }),
        run: ({ note_id, token }) => {
          delete find(note_id, token).token;
          return {};
        },
      }),
      lock: action({
        description: "Lock one",
        input: z.object({ note_id: noteId }),
        output: z.object({ token: z.string() }),
        run: ({ note_id }) => {
          const token = `secret-${note_id}`;
          find(note_id).token = token;
          return { token };
        },
      }),
      add: action({
        description: "Add one",
        input: z.object({ text: z.string() }),
        output: z.object({ note_id: z.string() }),
        run: ({ text }) => {
          const id = `note-${notes.size + 1}`;
          notes.set(id, { text });
          return { note_id: id };
        },
      }),
    },
  });
  const wipe = defineTool({
    name: "wipe",
    version: "1.0.0",
    description: "Wipe a board",
    input: z.object({ board: z.string() }),
    run: () => ({}),
  });
  const registry = createRegistry({ name: "notes", version: "1.0.0", tools: [note, wipe] });
  const host = createMcpHost(registry, { surface: "stdio" });
  const open = () => {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    void createMcpServer(host, { era: "legacy" }).mcp.connect(theirs);
    return { transport: mine };
  };
  const check = (options: ServerCheckOptions) =>
    checkServer({ label: "notes", open }, { protocol: "legacy", ...options });
  return { check, notes };
}

async function plan() {
  const { check, notes } = createNotes();
  let planned: readonly PlannedCall[] = [];
  const report = await check({
    onPlannedCalls: (calls) => {
      planned = calls;
    },
  });
  return { planned, report, notes };
}

describe("planned calls", () => {
  it("create first and remove last, with values of answers and of earlier calls", async () => {
    const { planned, notes } = await plan();
    expect(planned.map(({ name, arguments: args, expect: outcome }) => [name, args, outcome])).toEqual([
      ["note add", { action: "add", text: "one" }, undefined],
      ["note lock", { action: "lock", note_id: "note-1" }, undefined],
      ["note unlock", { action: "unlock", note_id: "note-1", token: "{{token}}" }, undefined],
      ["wipe", { board: "test" }, undefined],
      ["wipe without board", {}, "failure"],
      ["note remove", { action: "remove", note_id: "{{note add: note_id}}" }, undefined],
    ]);
    // Nothing of it was called.
    expect([...notes]).toEqual([["note-1", { text: "one" }]]);
  });

  it("say where their arguments come from", async () => {
    const { planned } = await plan();
    expect(planned.find(({ name }) => name === "note unlock")?.remarks).toEqual([
      "note_id: from answers of the server.",
      "token: taken from the answer to an earlier call of this file.",
      "It also takes: max_tokens.",
    ]);
    expect(planned.find(({ name }) => name === "wipe")?.remarks).toEqual([
      "board: made up from the schema: edit it.",
      "It also takes: max_tokens.",
    ]);
  });

  it.each(["calls.toml", "calls.json"])("reach every action when they are read from %s", async (file) => {
    const { planned, report } = await plan();
    const reason = "it does not say that it is read-only: name its calls with --calls";
    expect([report.verdict, report.unchecked]).toEqual(["incomplete", [{ what: "wipe", reason }]]);
    expect(report.tools[0]?.reason).toBe(`remove, unlock, lock, add: ${reason}`);
    const { check, notes } = createNotes();
    const checked = await check({ calls: parseCalls(writeCalls(planned, file), { file }) });
    expect([checked.verdict, checked.findings]).toEqual(["passed", []]);
    expect(checked.tools.map(({ unseen_actions: unseen }) => unseen)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([...notes]).toEqual([["note-1", { text: "one" }]]);
  });
});
