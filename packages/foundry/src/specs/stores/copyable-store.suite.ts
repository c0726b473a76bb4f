import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findOverflow } from "../../files/json-text/find-overflow.ts";
import { formats, type Tree, toText, trees } from "../../files/json-text/testing/random-text.ts";
import type { Plan } from "../model/change.ts";
import { copySpecs } from "./copy-specs.ts";
import type { CopyableStore, SpecExport } from "./spec-export.ts";
import { sampleDocument } from "./testing/sample-document.ts";

const rename =
  (task: string, title: string): Plan<number> =>
  () => ({ edits: [{ op: "set", path: ["hierarchy", task, "title"], value: title }], result: 0 });

/** Returns an exported spec that contains only a text and default values. */
export function parcelOf(id: string, text: Uint8Array, own: Partial<SpecExport> = {}): SpecExport {
  return {
    ...{ id, folder: "active", revision: "1-00000000", text, marks: {}, leases: [], fence: 0 },
    responses: new Map(),
    async *past() {},
    ...own,
  };
}

/** Tests the behavior of every store that imports and exports whole specs. */
export function describeCopyableStore(
  open: () => Promise<{
    readonly store: CopyableStore;
    readonly other: CopyableStore;
    close(): Promise<void>;
  }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  it("gives back the very bytes that it took in, whatever they are", async () => {
    const { store } = opened;
    const node = fc
      .array(fc.tuple(fc.constantFrom("title", "status", "x", "\u0000", "\ud800", "__proto__"), trees), {
        maxLength: 3,
      })
      .map((members): Tree => ({ kind: "object", members }));
    const specs = fc
      .tuple(
        fc.array(fc.tuple(fc.string({ unit: "binary", maxLength: 300 }), node), { maxLength: 5 }),
        fc.option(trees),
        formats,
      )
      .map(([nodes, journal, format]) => {
        const members: (readonly [string, Tree])[] = [["hierarchy", { kind: "object", members: nodes }]];
        if (journal !== null) members.push(["journal", journal], ["title", journal]);
        return toText({ kind: "object", members }, format);
      });
    let count = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(specs, async (bytes) => {
        const id = `any-${count++}`;
        // A number that JSON.parse converts to Infinity is refused, because no answer could contain it.
        if (findOverflow(bytes.toString("latin1")) !== undefined) {
          refused++;
          const imported = store.importSpec(parcelOf(id, bytes)).then(() => store.read(id));
          await expect(imported).rejects.toMatchObject({ code: "INVALID_FORMAT" });
          return;
        }
        await store.importSpec(parcelOf(id, bytes));
        expect(Buffer.from(await store.readText(id))).toEqual(bytes);
        expect(Buffer.from((await store.exportSpec(id)).text)).toEqual(bytes);
        expect((await store.read(id)).bytes).toBe(bytes.length);
      }),
      { numRuns: 15 },
    );
    expect(refused).toBeLessThan(count);
  });

  it("takes everything along that is kept of a spec, and goes on from there", async () => {
    const { store, other } = opened;
    await store.create("one", sampleDocument("one"), "pending");
    const key = { key: "k", fingerprint: "f" };
    const lease = { task_id: "task-1-1", token: "1-a", holder: "a", since: "2026", until: "2027" };
    await store.change("one", rename("task-1-2", "first"), { author: "ann", action: "task update" });
    await store.change(
      "one",
      () => ({ edits: [], result: 0, leases: { "task-1-1": lease }, marks: { "task-1": 9 } }),
      { key },
    );
    await store.change("one", rename("task-1-2", "second"));
    await store.move("one", "active", () => ({ edits: [], result: 0 }));
    const texts: string[] = [];
    for (const { revision } of await store.history("one"))
      texts.push(Buffer.from(await store.readRevision("one", revision)).toString());

    expect(await copySpecs(store, other)).toMatchObject([
      { spec_id: "one", outcome: "copied", revisions: 4 },
    ]);
    expect(await other.leases("one")).toEqual(new Map([["task-1-1", lease]]));
    expect(await other.read("one")).toMatchObject({ folder: "active" });
    expect((await other.read("one")).revision).toMatch(/^4-/);
    const later = await other.history("one");
    expect(later.map(({ author, action }) => [author, action])).toEqual(
      (await store.history("one")).map(({ author, action }) => [author, action]),
    );
    const again: string[] = [];
    for (const { revision } of later)
      again.push(Buffer.from(await other.readRevision("one", revision)).toString());
    expect(again).toEqual(texts);
    // A call that was made in the first store is not repeated in the second store, and the numbering of nodes
    // continues.
    expect(await other.change("one", () => ({ edits: [], result: 1 }), { key })).toMatchObject({
      result: 0,
      isRepeated: true,
    });
    const { result } = await other.change("one", (_spec, { marks, newToken }) => ({
      edits: [],
      result: { marks, newToken },
    }));
    expect(result).toEqual({ marks: { "task-1": 9 }, newToken: expect.stringMatching(/^2-/) });
    const back = await other.rollBack("one", later[2]?.revision ?? "");
    expect(back.snapshot.model.node("task-1-2")?.title).toBe("first");
  });

  it("copies what is missing, and nothing twice", async () => {
    const { store, other } = opened;
    for (const id of ["a", "b", "c"]) await store.create(id, sampleDocument(id), "pending");
    const outcomes = async (options = {}) =>
      (await copySpecs(store, other, options)).map(({ spec_id, outcome }) => `${spec_id} ${outcome}`);
    expect(await outcomes({ ids: ["b"] })).toEqual(["b copied"]);
    expect(await outcomes({ dryRun: true })).toEqual(["a would_copy", "b kept", "c would_copy"]);
    expect(await outcomes()).toEqual(["a copied", "b kept", "c copied"]);
    await other.change("c", rename("task-1-1", "changed there"));
    expect(await copySpecs(store, other)).toMatchObject([
      { outcome: "kept" },
      { outcome: "kept" },
      { spec_id: "c", outcome: "failed", error_code: "DUPLICATE_ENTRY" },
    ]);
    expect((await other.read("c")).model.node("task-1-1")?.title).toBe("changed there");
    expect(await outcomes({ overwrite: true })).toEqual(["a kept", "b kept", "c copied"]);
    expect((await other.read("c")).model.node("task-1-1")?.title).toBe("task-1-1");
    expect(await outcomes({ ids: ["none"] })).toEqual(["none failed"]);
  });

  it.each(["", "..", "../one", "a/b", "a\0b"])("takes no spec that is called %j", async (id) => {
    const thrown = await opened.store
      .importSpec(parcelOf(id, Buffer.from('{"hierarchy":{}}')))
      .catch((err) => err);
    expect(isContractError(thrown) && thrown.code).toBe("VALIDATION_ERROR");
  });

  it.each(["{", "[]", '{"hierarchy":1}', "\ud800"])("takes no text that is no spec: %j", async (text) => {
    const thrown = await opened.store.importSpec(parcelOf("one", Buffer.from(text))).catch((err) => err);
    expect(isContractError(thrown) && thrown.code).toBe("INVALID_FORMAT");
    expect((await opened.store.list()).specs).toEqual([]);
  });
}
