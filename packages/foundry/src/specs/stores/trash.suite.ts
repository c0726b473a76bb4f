import { isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Plan } from "../model/change.ts";
import type { ShelfPlan, SpecStore } from "./spec-store.ts";
import { sampleDocument } from "./testing/sample-document.ts";

const said: ShelfPlan<string> = (spec, { folder }) => ({ result: `${spec.title} of ${folder}` });
const rename: Plan<string> = () => ({
  edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: "Changed" }],
  result: "renamed",
});

/** Returns the code of a failure, and the call of its remedy. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (!isContractError(thrown)) return String(thrown);
    const { remedy } = thrown.options;
    return [thrown.code, remedy !== undefined && "action" in remedy ? remedy.action : undefined];
  }
}

/** Tests the behavior of every store for specs that are deleted and restored. */
export function describeTrash(
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
    await store.create("one", sampleDocument("one"), "active");
  });
  afterEach(() => opened.close());

  it("takes a deleted spec out of everything, and names the way back", async () => {
    expect(await store.trash()).toEqual([]);
    const { revision } = await store.read("one");
    const removed = await store.remove("one", said, { author: "ann", action: "spec delete" });
    expect(removed).toMatchObject({ result: "Sample one of active", warnings: [], isChanged: true });
    expect(removed.snapshot.revision.split("-")[0]).toBe("2");
    expect(removed.snapshot.revision).not.toBe(revision);
    expect((await store.list()).specs).toEqual([]);
    const [trashed, ...others] = await store.trash();
    expect(others).toEqual([]);
    expect(trashed).toMatchObject({
      id: "one",
      folder: "active",
      title: "Sample one",
      progress: { total: 3, completed: 0 },
      revision: removed.snapshot.revision,
      author: "ann",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const restore = ["SPEC_NOT_FOUND", "restore"];
    expect(await failureOf(store.read("one"))).toEqual(restore);
    expect(await failureOf(store.readText("one"))).toEqual(restore);
    expect(await failureOf(store.leases("one"))).toEqual(restore);
    expect(await failureOf(store.history("one"))).toEqual(restore);
    expect(await failureOf(store.readRevision("one", revision))).toEqual(restore);
    expect(await failureOf(store.change("one", rename))).toEqual(restore);
    expect(await failureOf(store.move("one", "archived", rename))).toEqual(restore);
    expect(await failureOf(store.rollBack("one", revision))).toEqual(restore);
    expect(await failureOf(store.remove("one", said))).toEqual(restore);
    expect(await failureOf(store.create("one", sampleDocument("one"), "pending"))).toEqual([
      "DUPLICATE_ENTRY",
      "restore",
    ]);
  });

  it("restores it to its folder, with its text and its history", async () => {
    await store.change("one", rename, { author: "ann", action: "task update" });
    const text = Buffer.from(await store.readText("one")).toString();
    await store.remove("one", said, { author: "ann", action: "spec delete" });
    const restored = await store.restore("one", said, { author: "bob", action: "spec restore" });
    expect(restored).toMatchObject({ result: "Sample one of active", isChanged: true });
    expect(restored.snapshot).toMatchObject({ folder: "active", path: "active/one.json" });
    expect(await store.trash()).toEqual([]);
    expect(await store.read("one")).toMatchObject({
      folder: "active",
      revision: restored.snapshot.revision,
    });
    expect(Buffer.from(await store.readText("one")).toString()).toBe(text);
    expect((await store.history("one")).map(({ author, action }) => `${author}: ${action}`)).toEqual([
      "bob: spec restore",
      "ann: spec delete",
      "ann: task update",
      expect.any(String),
    ]);
    expect((await store.change("one", rename)).result).toBe("renamed");
  });

  it("restores nothing that is not in the trash", async () => {
    expect(await failureOf(store.restore("one", said))).toEqual(["INVALID_STATE", "get"]);
    expect(await failureOf(store.restore("two", said))).toEqual(["SPEC_NOT_FOUND", undefined]);
    expect(await failureOf(store.restore("../one", said))).toEqual(["SPEC_NOT_FOUND", undefined]);
    expect(await failureOf(store.remove("two", said))).toEqual(["SPEC_NOT_FOUND", undefined]);
    expect(await failureOf(store.remove("../one", said))).toEqual(["SPEC_NOT_FOUND", undefined]);
  });

  it("keeps to revisions, to dry runs, and to a plan that refuses", async () => {
    const { revision } = await store.read("one");
    const refuse: ShelfPlan<string> = () => {
      throw new RangeError("refused");
    };
    expect(await failureOf(store.remove("one", said, { ifRevision: "9-00000000" }))).toEqual([
      "VERSION_CONFLICT",
      "get",
    ]);
    expect(await failureOf(store.remove("one", refuse))).toBe("RangeError: refused");
    expect(await store.remove("one", said, { dryRun: true })).toMatchObject({ isChanged: false });
    expect((await store.read("one")).revision).toBe(revision);
    const { snapshot } = await store.remove("one", said, { ifRevision: revision });
    expect(await store.restore("one", said, { dryRun: true })).toMatchObject({ isChanged: false });
    expect(await failureOf(store.restore("one", said, { ifRevision: revision }))).toEqual([
      "VERSION_CONFLICT",
      "get",
    ]);
    expect(await failureOf(store.restore("one", refuse))).toBe("RangeError: refused");
    expect((await store.trash()).map(({ id }) => id)).toEqual(["one"]);
    await store.restore("one", said, { ifRevision: snapshot.revision });
    expect(await store.trash()).toEqual([]);
  });

  it("deletes and restores once for a key", async () => {
    const removing = { key: { key: "delete", fingerprint: "d" } };
    const restoring = { key: { key: "restore", fingerprint: "r" } };
    await store.remove("one", said, removing);
    expect(await store.remove("one", said, removing)).toMatchObject({ isRepeated: true, isChanged: false });
    await store.restore("one", said, restoring);
    expect(await store.restore("one", said, restoring)).toMatchObject({ isRepeated: true, isChanged: false });
    // A repeated call does not revert later changes.
    expect(await store.remove("one", said, removing)).toMatchObject({ isRepeated: true, isChanged: false });
    expect((await store.list()).specs.map(({ id }) => id)).toEqual(["one"]);
  });

  it("ends the leases that the plan ends", async () => {
    const lease = { task_id: "task-1-1", token: "1", holder: "a", since: "2026", until: "2027" };
    await store.change("one", () => ({ edits: [], result: 0, leases: { "task-1-1": lease } }));
    await store.remove("one", (_spec, { leases }) => ({
      result: [...leases.keys()],
      leases: { "task-1-1": null },
    }));
    await store.restore("one", said);
    expect([...(await store.leases("one"))]).toEqual([]);
  });

  it("says from where a change moved a spec, and rolls text and folder back at once", async () => {
    const { revision: first } = await store.read("one");
    const text = Buffer.from(await store.readText("one")).toString();
    await store.move("one", "archived", rename);
    const [moved, created] = await store.history("one");
    expect([moved?.moved_from, created?.moved_from]).toEqual(["active", undefined]);
    const back = await store.rollBack("one", first, { to: "active" });
    expect(back.snapshot).toMatchObject({ folder: "active", path: "active/one.json" });
    expect(Buffer.from(await store.readText("one")).toString()).toBe(text);
    expect((await store.history("one"))[0]?.moved_from).toBe("archived");
  });

  it("is the same trash through another connection", async () => {
    if (opened.reopen === undefined) return;
    const other = await opened.reopen();
    await other.read("one");
    const { snapshot } = await store.remove("one", said);
    expect(await failureOf(other.read("one"))).toEqual(["SPEC_NOT_FOUND", "restore"]);
    expect((await other.trash()).map(({ revision }) => revision)).toEqual([snapshot.revision]);
    const restored = await other.restore("one", said);
    expect((await store.read("one")).revision).toBe(restored.snapshot.revision);
    await other.close();
  });
}
