import { isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../specs/change.ts";
import type { SpecStore } from "./spec-store.ts";
import { sampleDocument } from "./testing/sample-document.ts";

/** Sets the title of a task; enough of a change to see that it was made. */
const rename =
  (task: string, title: string): Plan<{ readonly title: string }> =>
  (spec) =>
    spec.node(task)?.title === title
      ? { edits: [], result: { title } }
      : { edits: [{ op: "set", path: ["hierarchy", task, "title"], value: title }], result: { title } };

/** The code of what is thrown. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return isContractError(thrown) ? thrown.code : `no ContractError: ${String(thrown)}`;
  }
}

/** What every store of specs does. `reopen` gives a second way to the same specs, where there is one. */
export function describeSpecStore(
  open: () => Promise<{
    readonly store: SpecStore;
    readonly reopen?: () => Promise<SpecStore>;
    close(): Promise<void>;
  }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let store: SpecStore;
  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterEach(() => opened.close());

  it("has nothing at first", async () => {
    expect(await store.list()).toEqual({ specs: [], problems: [] });
    expect(await codeOf(store.read("nothing"))).toBe("SPEC_NOT_FOUND");
    expect(await store.probe()).toEqual({ ok: true });
  });

  it("gives back what was created", async () => {
    const document = sampleDocument("one");
    const created = await store.create("one", document, "pending");
    const read = await store.read("one");
    expect(read.model.document).toEqual(document);
    expect(JSON.parse(Buffer.from(await store.readText("one")).toString())).toEqual(document);
    expect(read).toMatchObject({
      id: "one",
      folder: "pending",
      path: "pending/one.json",
      revision: created.revision,
    });
    expect(read.revision).toMatch(/^1-[0-9a-f]{8}$/);
    expect(read.bytes).toBe((await store.readText("one")).byteLength);
    expect((await store.list()).specs).toEqual([
      {
        id: "one",
        folder: "pending",
        path: "pending/one.json",
        revision: read.revision,
        title: "Sample one",
        progress: { total: 3, completed: 0 },
        updated: "2026-01-02T03:04:05Z",
      },
    ]);
  });

  it("gives an id once, over all folders", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    expect(await codeOf(store.create("one", sampleDocument("one"), "active"))).toBe("DUPLICATE_ENTRY");
  });

  it.each([
    "",
    "..",
    "../one",
    "a/b",
    "a\\b",
    "/etc/passwd",
    "a\0b",
    ".hidden",
    "x".repeat(300),
    "a..b",
    "CON:",
  ])("never takes %j for an id", async (id) => {
    expect(await codeOf(store.read(id))).toBe("SPEC_NOT_FOUND");
    expect(await codeOf(store.change(id, rename("task-1-1", "x")))).toBe("SPEC_NOT_FOUND");
    expect(await codeOf(store.create(id, sampleDocument("x"), "pending"))).toBe("VALIDATION_ERROR");
  });

  it("changes what a plan says, and nothing else", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const before = await store.read("one");
    const changed = await store.change("one", rename("task-1-2", "Changed"));
    expect(changed).toMatchObject({ result: { title: "Changed" }, warnings: [], isChanged: true });
    const after = await store.read("one");
    expect(after.revision).toBe(changed.snapshot.revision);
    expect(after.revision).toMatch(/^2-[0-9a-f]{8}$/);
    const wanted = structuredClone(sampleDocument("one")) as { hierarchy: Record<string, { title: string }> };
    (wanted.hierarchy["task-1-2"] as { title: string }).title = "Changed";
    expect(after.model.document).toEqual(wanted);
    // What was read before is as it was.
    expect(before.model.node("task-1-2")?.title).toBe("task-1-2");
  });

  it("writes nothing where there is nothing to do, and on a dry run", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const { revision } = await store.read("one");
    const same = await store.change("one", rename("task-1-1", "task-1-1"));
    const dry = await store.change("one", rename("task-1-1", "other"), { dryRun: true });
    expect([same.isChanged, dry.isChanged, dry.result]).toEqual([false, false, { title: "other" }]);
    expect((await store.read("one")).revision).toBe(revision);
  });

  it("writes nothing when a plan throws", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const { revision } = await store.read("one");
    const broken = store.change("one", () => {
      throw new RangeError("planned");
    });
    await expect(broken).rejects.toThrow("planned");
    expect((await store.read("one")).revision).toBe(revision);
    expect((await store.change("one", rename("task-1-1", "after"))).isChanged).toBe(true);
  });

  it("refuses a change of another revision than there is", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const { revision } = await store.read("one");
    await store.change("one", rename("task-1-1", "first"), { ifRevision: revision });
    expect(await codeOf(store.change("one", rename("task-1-1", "second"), { ifRevision: revision }))).toBe(
      "VERSION_CONFLICT",
    );
    expect((await store.read("one")).model.node("task-1-1")?.title).toBe("first");
  });

  it("keeps the numbers that were given to nodes", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    await store.change("one", () => ({
      edits: [{ op: "set", path: ["title"], value: "x" }],
      result: 0,
      marks: { "task-1": 9 },
    }));
    const { result } = await store.change("one", (_spec, { marks }) => ({ edits: [], result: marks }));
    expect(result).toEqual({ "task-1": 9 });
  });

  it("moves a spec between folders, with what goes along", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const moved = await store.move("one", "active", rename("task-1-1", "moved"));
    expect(moved.snapshot).toMatchObject({ folder: "active", path: "active/one.json" });
    const read = await store.read("one");
    expect([read.folder, read.model.node("task-1-1")?.title]).toEqual(["active", "moved"]);
    expect((await store.list()).specs.map(({ id, folder }) => [id, folder])).toEqual([["one", "active"]]);
  });

  it("loses nobody's change", async () => {
    await store.create("one", sampleDocument("one", 40), "pending");
    const ids = Array.from({ length: 40 }, (_, index) => `task-1-${index + 1}`);
    await Promise.all(ids.map((id) => store.change("one", rename(id, `done ${id}`))));
    const { model, revision } = await store.read("one");
    expect(ids.map((id) => model.node(id)?.title)).toEqual(ids.map((id) => `done ${id}`));
    expect(revision).toMatch(/^41-/);
  });

  it("tells who watches", async () => {
    await store.create("one", sampleDocument("one"), "pending");
    const heard: string[] = [];
    const stop = store.watch((id) => heard.push(id));
    await store.change("one", rename("task-1-1", "x"));
    // At least once: who hears of a change twice reads it twice.
    expect(new Set(heard)).toEqual(new Set(["one"]));
    stop();
    const count = heard.length;
    await store.change("one", rename("task-1-1", "y"));
    expect(heard).toHaveLength(count);
  });

  describe("seen through another connection", () => {
    it("has every change that was acknowledged, at the same revision", async () => {
      if (opened.reopen === undefined) return;
      await store.create("one", sampleDocument("one"), "pending");
      const other = await opened.reopen();
      expect((await other.read("one")).revision).toBe((await store.read("one")).revision);
      for (let turn = 0; turn < 5; turn++) {
        const [writer, reader] = turn % 2 === 0 ? [store, other] : [other, store];
        const { snapshot } = await writer.change("one", rename("task-1-1", `turn ${turn}`));
        const read = await reader.read("one");
        expect([read.revision, read.model.node("task-1-1")?.title]).toEqual([
          snapshot.revision,
          `turn ${turn}`,
        ]);
      }
      await other.close();
    });
  });
}
