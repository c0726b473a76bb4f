import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Plan } from "../model/change.ts";
import type { ChangeOptions, SpecStore } from "./spec-store.ts";
import { sampleDocument } from "./testing/sample-document.ts";

interface Call {
  readonly plan: Plan<unknown>;
  readonly options: ChangeOptions;
}

const taskId = fc.integer({ min: 1, max: 3 }).map((number) => `task-1-${number}`);
const text = fc.string({ maxLength: 6 });

const rename = fc.tuple(taskId, text).map(
  ([id, value]): Plan<unknown> =>
    () => ({ edits: [{ op: "set", path: ["hierarchy", id, "title"], value }], result: value }),
);
const note = text.map(
  (content): Plan<unknown> =>
    ({ fields: { journal } }) => {
      const index = Array.isArray(journal) ? journal.length : 0;
      return { edits: [{ op: "insert", path: ["journal"], index, value: { content } }], result: index };
    },
);
const addNode = fc.tuple(taskId, fc.integer({ min: 1, max: 9 })).map(
  ([after, number]): Plan<unknown> =>
    (spec) => {
      const id = `task-2-${number}`;
      const value = { type: "task", title: id, status: "pending", parent: "phase-1", children: [] };
      return spec.node(id) === undefined
        ? {
            edits: [{ op: "set", path: ["hierarchy", id], value, after }],
            result: id,
            marks: { "task-2": number },
          }
        : { edits: [], result: "it exists" };
    },
);
const claim = taskId.map(
  (task_id): Plan<unknown> =>
    (_, { leases, newToken }) => {
      const lease = {
        task_id,
        token: newToken.replace(/-.*/, ""),
        holder: "a",
        since: "2026",
        until: "2027",
      };
      return { edits: [], result: lease.token, leases: { [task_id]: leases.has(task_id) ? null : lease } };
    },
);
const refuse = taskId.map(
  (id): Plan<unknown> =>
    (spec) => {
      throw new RangeError(`Refused: ${spec.node(id)?.title}`);
    },
);
const options = fc.record(
  {
    author: fc.constantFrom("ann", "ben"),
    action: fc.constantFrom("first", "second"),
    dryRun: fc.constant(true),
    ifRevision: fc.constantFrom("1-00000000", "3-12345678"),
    key: fc.record({ key: fc.constantFrom("k", "l"), fingerprint: fc.constantFrom("f", "g") }),
  },
  { requiredKeys: [] },
);
const call: fc.Arbitrary<Call> = fc.record({
  plan: fc.oneof(rename, note, note, addNode, claim, refuse),
  // Most calls have no options.
  options: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: options }),
});

/** Makes a call and returns what its caller can see. The hash of a revision differs between stores. */
async function outcomeOf(store: SpecStore, id: string, { plan, options }: Call): Promise<unknown> {
  try {
    const { snapshot, ...changed } = await store.change(id, plan, options);
    return {
      ...changed,
      revision: Number.parseInt(snapshot.revision, 10),
      document: snapshot.model.document,
    };
  } catch (thrown) {
    return isContractError(thrown) ? thrown.code : String(thrown);
  }
}

/** Returns all data of the spec: its document, leases, history, and the text of each revision. */
async function dataOf(store: SpecStore, id: string): Promise<unknown> {
  const history = await store.history(id);
  const revisions = [];
  for (const { revision, at: _, ...made } of history) {
    const document: unknown = JSON.parse(Buffer.from(await store.readRevision(id, revision)).toString());
    revisions.push({ revision: Number.parseInt(revision, 10), ...made, document });
  }
  return { document: (await store.read(id)).model.document, leases: await store.leases(id), revisions };
}

/** Tests that changes which wait at the same time have the same outcome as changes made one after the other. */
export function describeBatches(
  open: () => Promise<{
    readonly store: SpecStore;
    readonly reopen?: () => Promise<SpecStore>;
    close(): Promise<void>;
  }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  it("makes changes at the same time as if they came one after the other", async () => {
    const { store } = opened;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 12 }), async (calls) => {
        const [single, batched] = [`single-${runs}`, `batched-${runs++}`];
        for (const id of [single, batched]) await store.create(id, sampleDocument("one"), "active");
        const expected: unknown[] = [];
        for (const each of calls) expected.push(await outcomeOf(store, single, each));
        expect(await Promise.all(calls.map((each) => outcomeOf(store, batched, each)))).toEqual(expected);
        expect(await dataOf(store, batched)).toEqual(await dataOf(store, single));
      }),
      { numRuns: 15 },
    );
  });

  it("gives each of many changes a revision of its own, that can be restored", async () => {
    const { store, reopen } = opened;
    const { revision } = await store.create("one", sampleDocument("one", 40), "active");
    const changes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        store.change("one", () => ({
          edits: [
            { op: "set", path: ["hierarchy", `task-1-${index + 1}`, "title"], value: `Title ${index}` },
          ],
          result: index,
        })),
      ),
    );
    const revisions = changes.map(({ snapshot }) => snapshot.revision);
    expect(new Set(revisions).size).toBe(40);
    const other = (await reopen?.()) ?? store;
    expect((await other.history("one")).map((entry) => entry.revision)).toEqual(
      [revision, ...revisions].toReversed(),
    );
    for (const [index, each] of revisions.entries()) {
      const { hierarchy } = JSON.parse(Buffer.from(await other.readRevision("one", each)).toString());
      const titles = Object.values(hierarchy as Record<string, { title: string }>).map(({ title }) => title);
      expect(titles.filter((title) => title.startsWith("Title "))).toHaveLength(index + 1);
    }
    const rolled = await other.rollBack("one", revisions[4] as string);
    expect(rolled.snapshot.model.node("task-1-5")?.title).toBe("Title 4");
    expect(rolled.snapshot.model.node("task-1-6")?.title).toBe("task-1-6");
  });
}
