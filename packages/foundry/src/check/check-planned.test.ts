import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { createMcpHost, createMcpServer } from "@foundry-mcp/toolkit/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseCalls } from "./calls/calls-file.ts";
import { type PlannedCall, writeCalls } from "./calls/write-calls.ts";
import { checkServer, type ServerCheckOptions } from "./check-server.ts";

const noteId = z.string().describe("Id of a note");

/** Creates a server of notes. A locked note may only be changed with the token of its lock. */
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

/** Returns the calls that a check of one read-only tool plans. */
async function planFor(run: (input: { readonly port: string }) => object): Promise<readonly PlannedCall[]> {
  const tide = defineTool({
    name: "tide",
    version: "1.0.0",
    description: "The next high tide",
    input: z.object({ port: z.string() }),
    readOnly: true,
    run,
  });
  const registry = createRegistry({ name: "tides", version: "1.0.0", tools: [tide], serverTool: false });
  const host = createMcpHost(registry, { surface: "stdio" });
  const open = () => {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    void createMcpServer(host, { era: "legacy" }).mcp.connect(theirs);
    return { transport: mine };
  };
  let planned: readonly PlannedCall[] = [];
  const onPlannedCalls = (calls: readonly PlannedCall[]) => {
    planned = calls;
  };
  await checkServer({ label: "tides", open }, { protocol: "legacy", onPlannedCalls });
  return planned;
}

describe("planned calls", () => {
  it("include a read-only tool of which no success was seen", async () => {
    const planned = await planFor(() => {
      throw new Error("no such port");
    });
    expect(planned.map(({ name, arguments: args, expect: outcome }) => [name, args, outcome])).toEqual([
      ["tide", { port: "test" }, undefined],
      ["tide without port", {}, "failure"],
    ]);
  });

  it("are none if everything was seen", async () => {
    expect(await planFor(({ port }) => ({ port }))).toEqual([]);
  });

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
    // The check made none of the planned calls.
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

/**
 * Creates a server of berths, which has no berths until one is added. Adding a berth needs more arguments than the
 * schema requires.
 */
function createBerths({ data }: { readonly data?: "named" | "unknown" } = {}) {
  const berths: { berth_id: string; state: string }[] = [];
  const find = (id: string) => {
    const berth = berths.find(({ berth_id }) => berth_id === id);
    if (berth === undefined) throw notFound("berth", id);
    return berth;
  };
  const input = z.object({ berth_id: z.string() });
  const berth = defineTool({
    name: "berth",
    version: "1.0.0",
    description: "Berths",
    actions: {
      get: action({
        description: "One",
        readOnly: true,
        input,
        run: ({ berth_id }) => ({ ...find(berth_id) }),
      }),
      add: action({
        description: "Add one",
        input: z.object({
          place: z.object({ port: z.string().optional(), pier: z.string().optional() }).optional(),
        }),
        output: z.object({ berth_id: z.string() }),
        run: ({ place }) => {
          if (place === undefined)
            throw validationError(
              { field: "place", constraint: "required" },
              { message: "place is required" },
            );
          if (place.pier === undefined || place.port !== undefined)
            throw validationError(
              { field: "place", constraint: "exactly_one" },
              { message: "only a pier will do" },
            );
          const berth_id = `berth-${berths.length + 1}`;
          berths.push({ berth_id, state: "free" });
          return { berth_id };
        },
      }),
      close: action({
        description: "Close one",
        input: input.extend({ force: z.boolean().optional() }),
        run: ({ berth_id, force }) => {
          const found = find(berth_id);
          if (force !== true)
            throw new ContractError("It is in use", {
              errorCode: "CONFLICT",
              remediation: "Pass force: true.",
            });
          found.state = "closed";
          return {};
        },
      }),
    },
  });
  const list = defineTool({
    name: "list",
    version: "1.0.0",
    description: "All berths",
    readOnly: true,
    input: z.object({ state: z.string().optional() }),
    run: () => {
      if (data === "unknown") return { count: 1 };
      return { berths: data === "named" ? [{ berth_id: "berth-0" }] : berths };
    },
  });
  const registry = createRegistry({ name: "berths", version: "1.0.0", tools: [berth, list] });
  const host = createMcpHost(registry, { surface: "stdio" });
  const open = () => {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    void createMcpServer(host, { era: "legacy" }).mcp.connect(theirs);
    return { transport: mine };
  };
  return (options: ServerCheckOptions = {}) =>
    checkServer({ label: "berths", open }, { protocol: "legacy", ...options });
}

describe("a server without data", () => {
  it("passes, and its tool is judged by its failures", async () => {
    const { verdict, tools, unchecked } = await createBerths()();
    expect([verdict, unchecked]).toEqual(["passed", []]);
    const { tool, status, successes, unseen_actions: unseen } = tools[0] ?? {};
    expect([tool, status, successes, unseen]).toEqual(["berth", "no_data", 0, ["get", "add", "close"]]);
  });

  it.each(["named", "unknown"] as const)("does not pass if its data is %s and not found", async (data) => {
    const { verdict, unchecked } = await createBerths({ data })();
    expect([verdict, unchecked.map(({ what }) => what)]).toEqual(["incomplete", ["berth"]]);
  });
});

describe("search of a calls file", () => {
  const call = (name: string, args: object) => ({ tool: "berth", arguments: { action: name, ...args } });
  const calls = [call("close", { berth_id: "{{berth_id}}" }), call("add", {})];

  it("finds what failures ask for, and what later calls bring about", async () => {
    const report = await createBerths()({ calls: { search: true, calls, values: new Map() } });
    expect([report.verdict, report.findings]).toEqual(["passed", []]);
    expect(report.tools[0]).toMatchObject({ tool: "berth", status: "checked" });
    expect(report.tools[0]?.unseen_actions).toBeUndefined();
  });

  it("is not made unless the file asks for it", async () => {
    const report = await createBerths()({ calls: { calls, values: new Map() } });
    expect(report.tools[0]?.unseen_actions).toEqual(["get", "add", "close"]);
    expect(report.tools[0]?.reason).toContain("add: its calls in the file fail: place is required (");
  });

  it("leaves calls alone that are expected to fail", async () => {
    const refused = [{ ...call("add", {}), expect: "failure" as const }];
    const report = await createBerths()({ calls: { search: true, calls: refused, values: new Map() } });
    expect(report.rules.find(({ rule }) => rule === "MCP-20")).toMatchObject({ status: "passed", checks: 1 });
    expect(report.tools[0]?.unseen_actions).toEqual(["get", "add", "close"]);
  });
});
