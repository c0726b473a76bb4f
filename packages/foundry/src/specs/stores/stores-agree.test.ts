import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/postgres/test-databases.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { migrate } from "../../postgres/migrate.ts";
import { addWorkspace } from "../../postgres/workspaces.ts";
import type { Plan } from "../model/change.ts";
import { addJournalEntry } from "../model/changes/add-journal-entry.ts";
import { addPhaseBulk } from "../model/changes/add-phase.ts";
import { addTask } from "../model/changes/add-task.ts";
import { blockTask } from "../model/changes/block-task.ts";
import { addDependency } from "../model/changes/change-dependency.ts";
import { completeTask } from "../model/changes/complete-task.ts";
import { moveTask } from "../model/changes/move-task.ts";
import { addNote } from "../model/changes/notes.ts";
import { removePhase } from "../model/changes/remove-phase.ts";
import { removeTask } from "../model/changes/remove-task.ts";
import { reopenTask } from "../model/changes/reopen-task.ts";
import { startTask } from "../model/changes/start-task.ts";
import { updateTask } from "../model/changes/update-node.ts";
import { fixSpec } from "../model/fix/fix-spec.ts";
import { rootId } from "../model/spec-document.ts";
import type { SpecModel } from "../model/spec-model.ts";
import { parcelOf } from "./copyable-store.suite.ts";
import { openFileStore } from "./file-store/file-store.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";
import type { CopyableStore } from "./spec-export.ts";

const fixtures = new URL("../../../../../test/fixtures/specs/", import.meta.url).pathname;
const now = () => "2026-03-04T05:06:07.000Z";

/** A random change: its kind, the affected nodes, and a text. */
interface Deed {
  readonly what: number;
  readonly at: number;
  readonly to: number;
  readonly text: string;
}

const deeds = fc.record<Deed>({
  what: fc.nat(12),
  at: fc.nat(),
  to: fc.nat(),
  text: fc.oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.constantFrom("plain", "— ü 😀", "\u0000x", "\ud800y"),
  ),
});

/** Converts a random change to a plan. The plan may be refused, but then both stores must refuse it. */
function toPlan({ what, at, to, text }: Deed): Plan<unknown> {
  return (spec, context) => planFor(spec, what, at, to, text)(spec, context);
}

function planFor(spec: SpecModel, what: number, at: number, to: number, text: string): Plan<unknown> {
  const task_id = spec.order[at % spec.order.length] ?? rootId;
  const other = spec.order[to % spec.order.length] ?? rootId;
  const phases = spec.childrenOf(rootId).map(({ id }) => id);
  const plans: readonly (() => Plan<unknown>)[] = [
    () => completeTask({ task_id, note: text }),
    () => startTask({ task_id, note: text }),
    () => addTask({ parent: phases[at % phases.length] ?? rootId, title: text }),
    () => removeTask({ task_id, cascade: true }),
    () => moveTask({ task_id, parent: phases[to % phases.length] ?? rootId }),
    () => blockTask({ task_id, reason: text }),
    () => addDependency({ task_id, depends_on: other }),
    () => addJournalEntry({ title: text, content: text, task_id }),
    () => addPhaseBulk({ phase: { title: text }, tasks: [{ title: text }] }),
    () => removePhase({ phase_id: phases[at % phases.length] ?? "", force: true }),
    () => updateTask({ task_id, title: text, metadata: { note: text } }),
    () => reopenTask({ task_id, reason: text }),
    () => addNote({ kind: "assumption", text }),
  ];
  return (plans[what] as () => Plan<unknown>)();
}

let folder: string;
let test: TestDatabase;
let database: Database;
let files: CopyableStore;
let rows: CopyableStore;
const texts: Buffer[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agree-"));
  await mkdir(join(folder, "specs"));
  files = openFileStore({ root: join(folder, "specs"), now });
  test = await createTestDatabase();
  database = await openDatabase({ url: test.url, poolSize: test.isConcurrent ? 2 : 1 });
  await migrate(database);
  rows = openPostgresStore({ database, workspace: await addWorkspace(database, "agree"), now });
  for (const name of ["completed", "pending", "archived"])
    for (const file of await readdir(join(fixtures, name)))
      texts.push(...variants(await readFile(join(fixtures, name, file))));
});
afterAll(async () => {
  await files.close();
  await rows.close();
  await database.close();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Returns the text of a spec, and the same spec in the formats of other programs: with non-ASCII characters,
 * with tabs, and on one line.
 */
function variants(text: Buffer): readonly Buffer[] {
  const document = { ...JSON.parse(text.toString()), note: "— ü 😀" };
  return [
    text,
    Buffer.from(`${JSON.stringify(document, null, "\t")}\r\n`),
    Buffer.from(JSON.stringify(document)),
  ];
}

/** Returns the result of a change, or its error. */
async function outcomeOf(work: Promise<{ readonly result: unknown; readonly isChanged: boolean }>) {
  try {
    const { result, isChanged } = await work;
    return { result, isChanged };
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}

describe("the store of files and that of PostgreSQL", () => {
  it("make the same of real specs, byte for byte, whatever is done to them", async () => {
    let count = 0;
    const seen = { made: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(deeds, { minLength: 1, maxLength: 12 }), async (which, all) => {
        const id = `agree-${count++}`;
        const parcel = parcelOf(id, texts[which % texts.length] as Buffer);
        await files.importSpec(parcel);
        await rows.importSpec(parcel);
        for (const deed of all) {
          const [one, other] = [
            await outcomeOf(files.change(id, toPlan(deed))),
            await outcomeOf(rows.change(id, toPlan(deed))),
          ];
          expect(other).toEqual(one);
          if ("code" in one) seen.refused += 1;
          else seen.made += 1;
        }
        expect(Buffer.from(await rows.readText(id)).toString()).toBe(
          Buffer.from(await files.readText(id)).toString(),
        );
        expect((await rows.read(id)).bytes).toBe((await files.read(id)).bytes);
        // The model that was updated by changes equals the model that a new store reads.
        const { model } = await rows.read(id);
        const fresh = openPostgresStore({ database, workspace: await addWorkspace(database, "agree") });
        expect((await fresh.read(id)).model.document).toEqual(model.document);
        // Both stores return every earlier text.
        const [past, other] = [await files.history(id), await rows.history(id)];
        expect(other.length).toBe(past.length);
        for (const [at, { revision }] of past.entries())
          expect(Buffer.from(await rows.readRevision(id, other[at]?.revision ?? "")).toString()).toBe(
            Buffer.from(await files.readRevision(id, revision)).toString(),
          );
      }),
      { numRuns: 25 },
    );
    expect(Math.min(seen.made, seen.refused), JSON.stringify(seen)).toBeGreaterThan(10);
  });

  it("fix real specs alike", async () => {
    for (const [at, text] of texts.entries()) {
      const parcel = parcelOf(`fix-${at}`, text);
      const fix: Plan<number> = (spec) => ({ edits: fixSpec(spec.document, now()).edits, result: 0 });
      await files.importSpec(parcel);
      await rows.importSpec(parcel);
      const [one, other] = [await files.change(parcel.id, fix), await rows.change(parcel.id, fix)];
      expect(other.isChanged).toBe(one.isChanged);
      expect(Buffer.from(await rows.readText(parcel.id)).toString()).toBe(
        Buffer.from(await files.readText(parcel.id)).toString(),
      );
    }
  });
});
