import { isContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../model/change.ts";
import type { Lease } from "../model/lease.ts";
import { describeBatches } from "./batch.suite.ts";
import type { SpecStore } from "./spec-store.ts";
import { sampleDocument } from "./testing/sample-document.ts";
import { describeTrash } from "./trash.suite.ts";

/** Sets the title of a task. The title shows whether the change was made. */
const rename =
  (task: string, title: string): Plan<{ readonly title: string }> =>
  (spec) =>
    spec.node(task)?.title === title
      ? { edits: [], result: { title } }
      : { edits: [{ op: "set", path: ["hierarchy", task, "title"], value: title }], result: { title } };

/** Returns the code of a thrown error. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return isContractError(thrown) ? thrown.code : `no ContractError: ${String(thrown)}`;
  }
}

/**
 * Tests the behavior of every store of specs. `reopen` opens the same specs a second time, if the store
 * supports this.
 */
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

  it("knows a spec by the id under which it is stored, whatever spec_id its text holds", async () => {
    await store.create("one", sampleDocument("other"), "pending");
    const seen: string[] = [];
    const look: Plan<null> = (spec) => {
      seen.push(spec.id, spec.after([{ op: "set", path: ["title"], value: "T" }]).id);
      const path = ["hierarchy", "added"];
      seen.push(spec.after([{ op: "set", path, value: { type: "task" } }]).id);
      return { edits: [{ op: "set", path: ["title"], value: "T" }], result: null };
    };
    await store.change("one", look);
    await store.change("one", look);
    expect(seen).toEqual(Array(6).fill("one"));
    expect((await store.read("one")).model.id).toBe("one");
    expect((await (await (opened.reopen?.() ?? store)).read("one")).model.id).toBe("one");
    expect(JSON.parse(Buffer.from(await store.readText("one")).toString()).spec_id).toBe("other");
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
        created: "2026-01-02T03:04:05Z",
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
    // A snapshot that was read before the change does not change.
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
    // A listener is called at least once. A second call of the listener only causes another read.
    expect(new Set(heard)).toEqual(new Set(["one"]));
    stop();
    const count = heard.length;
    await store.change("one", rename("task-1-1", "y"));
    expect(heard).toHaveLength(count);
  });

  describe("leases", () => {
    const lease = (token: string, until: string): Lease => ({
      task_id: "task-1-1",
      token,
      holder: "a",
      since: "2026-01-01T00:00:00.000Z",
      until,
    });
    const keep =
      (leases: Readonly<Record<string, Lease | null>>): Plan<string> =>
      (_spec, { newToken }) => ({ edits: [], result: newToken, leases });

    it("are kept beside the spec, whose revision stays", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const { revision } = await store.read("one");
      expect(await store.leases("one")).toEqual(new Map());
      const held = lease("1-a", "2026-01-01T00:15:00.000Z");
      expect(await store.change("one", keep({ "task-1-1": held }))).toMatchObject({ isChanged: false });
      expect(await store.leases("one")).toEqual(new Map([["task-1-1", held]]));
      expect((await store.read("one")).revision).toBe(revision);
      await store.change("one", rename("task-1-2", "x"));
      expect(await store.leases("one")).toEqual(new Map([["task-1-1", held]]));
      await store.change("one", keep({ "task-1-1": null }));
      expect(await store.leases("one")).toEqual(new Map());
    });

    it("are told to those who watch", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const heard: string[] = [];
      const stop = store.watch((id) => heard.push(id));
      await store.change("one", keep({ "task-1-1": lease("1-a", "2026-01-01T00:15:00.000Z") }));
      expect(new Set(heard)).toEqual(new Set(["one"]));
      stop();
    });

    it("never get the same token twice, and none on a dry run", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const tokens: string[] = [];
      for (let turn = 0; turn < 20; turn++) {
        const held = lease(String(turn), "2026-01-01T00:15:00.000Z");
        const plan = keep(turn % 3 === 0 ? { "task-1-1": null } : { "task-1-1": held });
        tokens.push((await store.change("one", plan)).result);
      }
      expect(new Set(tokens).size).toBe(20);
      await store.change("one", keep({ "task-1-1": null }));
      await store.change("one", keep({ "task-1-1": lease("x", "2026") }), { dryRun: true });
      expect(await store.leases("one")).toEqual(new Map());
    });

    it("of a spec that is not there are SPEC_NOT_FOUND", async () => {
      expect(await codeOf(store.leases("nothing"))).toBe("SPEC_NOT_FOUND");
    });
  });

  describe("a call with a key", () => {
    const key = { key: "k", fingerprint: "f" };
    const append: Plan<{ readonly title: string }> = (spec) => {
      const title = `${spec.node("task-1-1")?.title}+`;
      return {
        edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: title }],
        result: { title },
        warnings: ["said"],
      };
    };

    it("is made once, and answered the same", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const first = await store.change("one", append, { key });
      await store.change("one", rename("task-1-2", "between"));
      const second = await store.change("one", append, { key });
      expect([first.isRepeated, first.isChanged]).toEqual([undefined, true]);
      expect(second).toMatchObject({
        result: { title: "task-1-1+" },
        warnings: ["said"],
        isChanged: false,
        isRepeated: true,
      });
      expect((await store.read("one")).model.node("task-1-1")?.title).toBe("task-1-1+");
    });

    it("with other arguments is refused", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      await store.change("one", append, { key });
      expect(await codeOf(store.change("one", append, { key: { key: "k", fingerprint: "g" } }))).toBe(
        "CONFLICT",
      );
      expect((await store.read("one")).model.node("task-1-1")?.title).toBe("task-1-1+");
    });

    it("is made again where it failed, and not remembered from a dry run", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      await expect(
        store.change(
          "one",
          () => {
            throw new RangeError("planned");
          },
          { key },
        ),
      ).rejects.toThrow("planned");
      await store.change("one", append, { key, dryRun: true });
      expect(await store.change("one", append, { key })).toMatchObject({ isChanged: true });
    });

    it("that only takes a lease is made once too", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const claim: Plan<string> = (_spec, { newToken, leases }) => {
        if (leases.has("task-1-1")) throw new RangeError("held");
        const held = { task_id: "task-1-1", token: newToken, holder: "a", since: "2026", until: "2027" };
        return { edits: [], result: newToken, leases: { "task-1-1": held } };
      };
      const first = await store.change("one", claim, { key });
      const second = await store.change("one", claim, { key });
      expect(second).toMatchObject({ result: first.result, isRepeated: true });
    });

    it("belongs to its spec", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      await store.create("two", sampleDocument("two"), "pending");
      await store.change("one", append, { key });
      expect(await store.change("two", append, { key })).toMatchObject({ isChanged: true });
    });

    it("adds a spec once", async () => {
      await store.create("one", sampleDocument("one"), "pending", { key });
      const again = await store.create("two", sampleDocument("two"), "pending", { key });
      expect([again.id, (await store.list()).specs.length]).toEqual(["one", 1]);
      expect(
        await codeOf(
          store.create("three", sampleDocument("three"), "pending", { key: { key: "k", fingerprint: "g" } }),
        ),
      ).toBe("CONFLICT");
    });

    it("moves a spec once", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const plan: Plan<string> = () => ({ edits: [], result: "moved" });
      await store.move("one", "active", plan, { key });
      await store.move("one", "archived", plan, {});
      expect(await store.move("one", "active", plan, { key })).toMatchObject({
        result: "moved",
        isRepeated: true,
      });
      expect((await store.read("one")).folder).toBe("archived");
    });
  });

  describe("history", () => {
    it("lists what was done, the newest first", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const first = (await store.read("one")).revision;
      const second = await store.change("one", rename("task-1-1", "x"), {
        author: "ann",
        action: "task update",
      });
      const third = await store.change("one", rename("task-1-2", "y"), { author: "bob" });
      const entries = await store.history("one");
      expect(entries.map(({ revision, author, action }) => [revision, author, action])).toEqual([
        [third.snapshot.revision, "bob", "change"],
        [second.snapshot.revision, "ann", "task update"],
        [first, expect.any(String), expect.any(String)],
      ]);
    });

    it("gives back every text that is kept", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const texts = new Map([[(await store.read("one")).revision, await store.readText("one")]]);
      for (let turn = 0; turn < 12; turn++) {
        const { snapshot } = await store.change("one", rename(`task-1-${(turn % 3) + 1}`, `turn ${turn}`));
        texts.set(snapshot.revision, await store.readText("one"));
      }
      for (const [revision, text] of texts)
        expect(Buffer.from(await store.readRevision("one", revision)).toString()).toBe(
          Buffer.from(text).toString(),
        );
      expect(await codeOf(store.readRevision("one", "99-00000000"))).toBe("NOT_FOUND");
      expect(await codeOf(store.readRevision("one", "../../etc"))).toBe("NOT_FOUND");
    });

    it("goes back, and on from there", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const first = await store.read("one");
      const text = Buffer.from(await store.readText("one")).toString();
      await store.change("one", rename("task-1-1", "x"));
      const { snapshot: last } = await store.change("one", rename("task-1-2", "y"));
      const dry = await store.rollBack("one", first.revision, { dryRun: true });
      expect(dry.isChanged).toBe(false);
      const back = await store.rollBack("one", first.revision, { author: "ann", action: "spec rollback" });
      expect(back).toMatchObject({
        result: { from_revision: last.revision, to_revision: first.revision },
        isChanged: true,
      });
      expect(Buffer.from(await store.readText("one")).toString()).toBe(text);
      expect(back.snapshot.revision).toMatch(/^4-/);
      expect((await store.history("one"))[0]).toMatchObject({ author: "ann", action: "spec rollback" });
      await store.rollBack("one", last.revision);
      expect((await store.read("one")).model.node("task-1-2")?.title).toBe("y");
    });

    it("changes nothing where it is there already, and refuses another revision than was read", async () => {
      await store.create("one", sampleDocument("one"), "pending");
      const { revision } = await store.read("one");
      expect((await store.rollBack("one", revision)).isChanged).toBe(false);
      await store.change("one", rename("task-1-1", "x"));
      expect(await codeOf(store.rollBack("one", revision, { ifRevision: revision }))).toBe(
        "VERSION_CONFLICT",
      );
      expect(await codeOf(store.rollBack("one", "7-abcdef01"))).toBe("NOT_FOUND");
    });
  });

  describe("the trash", () => {
    describeTrash(open);
  });

  describe("changes at the same time", () => {
    describeBatches(open);
  });

  describe("seen through another connection", () => {
    it("notifies watchers of lease changes, which leave the revision as it is", async () => {
      if (opened.reopen === undefined) return;
      await store.create("one", sampleDocument("one"), "pending");
      const other = await opened.reopen();
      const heard = new Promise<string>((resolve) => {
        other.watch(resolve);
      });
      const lease = { task_id: "task-1-1", token: "1", holder: "a", since: "2026", until: "2027" };
      const changes: Promise<unknown>[] = [];
      // The change is repeated until the watch is established, because earlier changes notify no listener.
      const timer = setInterval(() => {
        changes.push(store.change("one", () => ({ edits: [], result: 0, leases: { "task-1-1": lease } })));
      }, 100);
      expect(await heard).toBe("one");
      clearInterval(timer);
      await Promise.all(changes);
      await other.close();
    });

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
