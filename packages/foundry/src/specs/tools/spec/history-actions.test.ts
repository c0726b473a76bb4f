import { PassThrough } from "node:stream";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { runCli } from "@foundry-mcp/toolkit/cli";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../../files/json-text/edit.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import { sampleDocument } from "../../stores/testing/sample-document.ts";
import { historyActions } from "./history-actions.ts";

const at = "2026-03-01T09:00:00.000Z";

/** Creates a spec that was changed twice, and the tool for this spec. */
async function open() {
  const store = createMemoryStore(() => at);
  await store.create("one", sampleDocument("one"), "active", { author: "ann", action: "authoring create" });
  const change = (action: string, ...edits: Edit[]) =>
    store.change("one", () => ({ edits, result: {} }), { author: "bob", action });
  await change("task start", { op: "set", path: ["hierarchy", "task-1-1", "status"], value: "in_progress" });
  await change("spec update", { op: "set", path: ["title"], value: "Renamed" });
  const tool = defineTool({
    name: "spec",
    version: "1.0.0",
    description: "Specs",
    actions: historyActions({ store: async () => store }),
  });
  const registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
  const revisions = (await store.history("one")).map(({ revision }) => revision);
  const call = (action: string, args: object = {}) =>
    registry.call("spec", { action, spec_id: "one", ...args });
  return { store, registry, call, revisions: revisions as [string, string, string] };
}

const counted = { added: 0, removed: 0, changed: 0, fields: 0, journal_added: 0, journal_removed: 0 };

describe("spec history", () => {
  it("lists revisions, the newest first, page by page", async () => {
    const { call, revisions } = await open();
    const entries = [
      { revision: revisions[0], at, author: "bob", action: "spec update", about: [] },
      { revision: revisions[1], at, author: "bob", action: "task start", about: [] },
      { revision: revisions[2], at, author: "ann", action: "authoring create", about: [] },
    ];
    const { data } = await call("history");
    expect(data).toEqual({ spec_id: "one", entries, total_count: 3, revision: revisions[0] });
    const first = await call("history", { limit: 2 });
    expect(first.data["entries"]).toEqual(entries.slice(0, 2));
    const { cursor } = first.meta.pagination as { cursor: string };
    const second = await call("history", { limit: 2, cursor });
    expect(second.data["entries"]).toEqual(entries.slice(2));
  });

  it("says which spec there is not", async () => {
    const { call } = await open();
    expect((await call("history", { spec_id: "none" })).data["error_code"]).toBe("SPEC_NOT_FOUND");
  });
});

describe("spec diff", () => {
  it("tells the last change", async () => {
    const { call, revisions } = await open();
    const { data } = await call("diff");
    expect(data).toEqual({
      spec_id: "one",
      from_revision: revisions[1],
      to_revision: revisions[0],
      revision: revisions[0],
      changes: { ...counted, fields: 1 },
      added: [],
      removed: [],
      changed: [],
      fields: [{ field: "title", before: "Sample one", after: "Renamed" }],
      journal: { added: 0, removed: 0 },
    });
  });

  it("tells what led to a revision, and what lies between two, either way", async () => {
    const { call, revisions } = await open();
    const started = { id: "task-1-1", field: "status", before: "pending", after: "in_progress" };
    const led = await call("diff", { to_revision: revisions[1] });
    expect(led.data).toMatchObject({ from_revision: revisions[2], changed: [started], fields: [] });
    const all = await call("diff", { from_revision: revisions[2] });
    expect(all.data).toMatchObject({
      to_revision: revisions[0],
      changes: { ...counted, changed: 1, fields: 1 },
    });
    const back = await call("diff", { from_revision: revisions[0], to_revision: revisions[2] });
    expect(back.data["changed"]).toEqual([{ ...started, before: "in_progress", after: "pending" }]);
  });

  it("takes the counter of a revision for the whole of it", async () => {
    const { call, revisions } = await open();
    const [from, to] = [revisions[2]!, revisions[1]!];
    const counters = { from_revision: from.split("-")[0], to_revision: to.split("-")[0] };
    expect((await call("diff", counters)).data).toMatchObject({ from_revision: from, to_revision: to });
    expect((await call("diff", { to_revision: "99" })).error).toBe('Spec "one" has no stored revision "99"');
  });

  it("has nothing to tell of the first revision, and says why", async () => {
    const { call, revisions } = await open();
    const { data, meta } = await call("diff", { to_revision: revisions[2] });
    expect(data).toMatchObject({ from_revision: revisions[2], changes: counted });
    expect(meta.warnings).toEqual([`The history of spec "one" begins at ${revisions[2]}`]);
  });

  it.each(["from_revision", "to_revision"])("refuses a %s that is not kept", async (name) => {
    const { call } = await open();
    const { data, error } = await call("diff", { [name]: "9-00000000" });
    expect([error, data["error_code"]]).toEqual([
      'Spec "one" has no stored revision "9-00000000"',
      "NOT_FOUND",
    ]);
  });
});

describe("spec rollback", () => {
  it("makes the spec what it was, and can be taken back itself", async () => {
    const { call, store, revisions } = await open();
    const { data } = await call("rollback", { to_revision: revisions[2], confirm: true });
    const { revision, model } = await store.read("one");
    expect(data).toEqual({
      spec_id: "one",
      from_revision: revisions[0],
      to_revision: revisions[2],
      revision,
      changes: { ...counted, changed: 1, fields: 1 },
    });
    expect(model.document).toEqual(sampleDocument("one"));
    expect((await store.history("one"))[0]).toMatchObject({
      revision,
      author: "in-process",
      action: "spec rollback",
    });
    await call("rollback", { to_revision: revisions[0], confirm: true });
    expect((await store.read("one")).model.title).toBe("Renamed");
  });

  it("only says what it would do in a dry run, and warns where there is nothing to do", async () => {
    const { call, store, revisions } = await open();
    const dry = await call("rollback", { to_revision: revisions[1], confirm: true, dry_run: true });
    expect(dry.data).toMatchObject({ revision: revisions[0], changes: { ...counted, fields: 1 } });
    expect(dry.meta.warnings).toBeUndefined();
    const same = await call("rollback", { to_revision: revisions[0], confirm: true });
    expect(same.meta.warnings).toEqual([
      `Spec "one" is already what it was at ${revisions[0]}; nothing was changed`,
    ]);
    expect((await store.read("one")).revision).toBe(revisions[0]);
  });

  it("refuses without confirmation, on another revision, and to what is not kept", async () => {
    const { call, store, revisions } = await open();
    const codeOf = async (args: object) => (await call("rollback", args)).data["error_code"];
    expect(await codeOf({ to_revision: revisions[2] })).toBe("MISSING_REQUIRED");
    expect(await codeOf({ to_revision: revisions[2], confirm: false })).toBe("VALIDATION_ERROR");
    expect(await codeOf({ to_revision: revisions[2], confirm: true, if_revision: revisions[1] })).toBe(
      "VERSION_CONFLICT",
    );
    expect(await codeOf({ to_revision: "9-00000000", confirm: true })).toBe("NOT_FOUND");
    expect((await store.read("one")).revision).toBe(revisions[0]);
  });

  it("says that it destroys", async () => {
    const { registry } = await open();
    expect(registry.definitions[0]?.annotations).toMatchObject({
      destructiveHint: true,
      readOnlyHint: false,
    });
  });
});

describe("the commands", () => {
  it("give the same answers", async () => {
    const { registry, call, revisions } = await open();
    const run = async (...argv: string[]) => {
      const stdout = new PassThrough();
      await runCli(registry, { name: "foundry-cli", argv, stdout, signals: false });
      return (JSON.parse(String(stdout.read())) as { data: unknown }).data;
    };
    expect(await run("specs", "history", "one")).toEqual((await call("history")).data);
    expect(await run("specs", "diff", "one", "--from-revision", revisions[2])).toEqual(
      (await call("diff", { from_revision: revisions[2] })).data,
    );
    expect(await run("specs", "rollback", "one", revisions[2], "--confirm")).toMatchObject({
      from_revision: revisions[0],
      to_revision: revisions[2],
    });
  });
});
