import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { describe, expect, it } from "vitest";
import { editText } from "#built/foundry/files/json-text/edit-text.js";
import { scanJson } from "#built/foundry/files/json-text/scan-json.js";
import { completeTask } from "#built/foundry/specs/model/changes/complete-task.js";
import { SpecModel } from "#built/foundry/specs/model/spec-model.js";
import { baseName } from "#built/foundry/specs/stores/history/history-files.js";
import { HistoryFolder } from "#built/foundry/specs/stores/history/history-folder.js";
import { hashOf } from "#built/foundry/specs/stores/spec-file.js";
import { sampleSpec, specIdOf, taskIdOf, tasksOf } from "../../bench/specs/sample-specs.ts";

const nodes = 10_000;
const changes = 1_000;
const id = specIdOf(nodes);
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Returns the disk space of files. A file with several hard links counts once. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = new Map<number, number>();
  for (const file of files) {
    const { ino, size } = await stat(file);
    sizes.set(ino, size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Completes one task after another, like a store, and measures the disk space meanwhile. */
async function work(folder: string, keep: number) {
  const file = join(folder, "spec.json");
  const own = join(folder, "history");
  const files = createWorkspaceFiles({ root: folder, removable: [new RegExp(`.*/${baseName.source}`)] });
  const history = new HistoryFolder(files, own, keep);
  let bytes = Buffer.from(`${JSON.stringify(sampleSpec(nodes), null, 2)}\n`);
  let model = new SpecModel(JSON.parse(bytes.toString()));
  let index = scanJson(bytes);
  await writeFile(file, bytes);
  const revisions = [`1-${hashOf([bytes])}`];
  const hashes = [sha(bytes)];
  let deltas = 0;
  let most = { used: 0, allowed: Number.POSITIVE_INFINITY };
  const first = tasksOf(nodes) / 2;
  const ids = Array.from({ length: changes }, (_, place) => taskIdOf(nodes, Math.ceil(first) + place));
  for (const [place, task_id] of ids.entries()) {
    const now = new Date(Date.UTC(2026, 0, 1) + place * 1_000).toISOString();
    const context = {
      now,
      author: "prover",
      folder: "active" as const,
      marks: {},
      leases: new Map(),
      newToken: "1",
    };
    const { edits } = completeTask({ spec_id: id, task_id, note: "Done." } as never)(model, context as never);
    const patch = editText(bytes, edits, index);
    const after = Buffer.concat(patch.chunks, patch.size);
    const step = { from: revisions.at(-1) as string, to: `${place + 2}-${hashOf([after])}`, at: now };
    const told = { author: "prover", action: "task complete", about: [task_id] };
    await history.record(id, [{ step: { ...step, ...told }, splices: patch.splices }], { file, bytes });
    await writeFile(`${file}.new`, after);
    await rename(`${file}.new`, file);
    for (const { removed, inserted } of patch.splices) deltas += removed.length + inserted.length;
    model = model.after(edits);
    ({ index } = patch);
    bytes = after;
    revisions.push(step.to);
    hashes.push(sha(bytes));
    const files = (await readdir(join(own, id))).map((name) => join(own, id, name));
    const used = await sizeOf([file, ...files]);
    const allowed = 3 * bytes.length + deltas;
    if (used / allowed > most.used / most.allowed) most = { used, allowed };
  }
  const log = (await readFile(join(own, id, "log.jsonl"))).length;
  return { history, revisions, hashes, bytes, deltas, most, log };
}

describe("the history of a spec with 10,000 nodes, after 1,000 changes", () => {
  it.each([
    [50, 50, 102],
    [2_000, 1_001, 1_001],
  ])(
    "lists and gives back what it keeps of %i, and takes at most 3 specs and the deltas",
    async (keep, least, atMost) => {
      const folder = await mkdtemp(join(tmpdir(), "history-"));
      try {
        const { history, revisions, hashes, bytes, deltas, most, log } = await work(folder, keep);
        const present = { revision: revisions.at(-1) as string, bytes };
        const began = performance.now();
        const listed = await history.list(id, present);
        const listMs = performance.now() - began;
        expect(listed.length).toBeGreaterThanOrEqual(least);
        expect(listed.length).toBeLessThanOrEqual(atMost);
        expect(listed.map(({ revision }) => revision)).toEqual(revisions.slice(-listed.length).reverse());
        const step = Math.max(1, Math.floor(listed.length / 50));
        let longest = 0;
        for (let place = 0; place < listed.length; place += step) {
          const start = performance.now();
          const text = await history.readRevision(id, listed[place]?.revision as string, present);
          longest = Math.max(longest, performance.now() - start);
          expect(sha(text as Uint8Array)).toBe(hashes[revisions.length - 1 - place]);
        }
        expect(most.used).toBeLessThanOrEqual(most.allowed);
        process.stdout.write(
          `keep ${keep}: spec ${bytes.length} B, deltas ${deltas} B, log ${log} B; most on the disk ${most.used} B of ${most.allowed} B allowed (${(most.used / bytes.length).toFixed(2)} specs); ${listed.length} revisions listed in ${listMs.toFixed(0)} ms, the slowest text in ${longest.toFixed(0)} ms\n`,
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
