import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli } from "./programs.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { createWorkspace, filesBelow, settledFilesBelow, specOf, type TestWorkspace } from "./workspace.ts";

interface Acknowledged {
  readonly spec: string;
  readonly text: string;
  readonly at: number;
}

let workspace: TestWorkspace;
const alive = new Set<WorkerProcess>();
beforeEach(async () => {
  workspace = await createWorkspace();
  for (const id of ["notes", "tasks", "moves"]) await workspace.write(`active/${id}.json`, specOf(id));
});
afterEach(async () => {
  await Promise.all([...alive].map(kill));
  await workspace.remove();
});

async function kill(worker: WorkerProcess): Promise<void> {
  alive.delete(worker);
  worker.child.kill("SIGKILL");
  await worker.ended;
}

/** Returns the texts in the journal of a spec, regardless of the folder of the spec. */
async function journalOf(id: string): Promise<readonly string[]> {
  for (;;) {
    for (const folder of ["active", "pending"]) {
      const text = await readFile(join(workspace.specs, folder, `${id}.json`), "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const { journal } = JSON.parse(text) as { journal: { content: string }[] };
      return journal.map(({ content }) => content);
    }
  }
}

const times = 200;

describe("a writer that is killed at any moment", () => {
  it(`leaves whole files, loses nothing it acknowledged, and is in nobody's way: ${times} times`, async () => {
    const all: WorkerProcess[] = [];
    const start = () => {
      const worker = startWorker("kill-worker", [workspace.specs, `w${all.length}`]);
      all.push(worker);
      alive.add(worker);
    };
    for (let index = 0; index < 3; index++) start();
    const kills: number[] = [];
    let mostLeft = 0;
    while (kills.length < times) {
      const ready = [...alive].filter(({ lines }) => lines.length > 0);
      const victim = ready[Math.floor(Math.random() * ready.length)];
      if (victim === undefined || ready.length < 2) {
        await pause(2);
        continue;
      }
      await pause(Math.random() * 30);
      kills.push(performance.timeOrigin + performance.now());
      await kill(victim);
      start();
      // Every file is complete at any time, and contains all changes that the killed process reported.
      for (const id of ["notes", "tasks", "moves"]) {
        const kept = new Set(await journalOf(id));
        const said = (victim.lines as Acknowledged[]).filter(({ spec }) => spec === id);
        expect(said.filter(({ text }) => !kept.has(text))).toEqual([]);
      }
      const files = await filesBelow(workspace.specs).catch(() => []);
      mostLeft = Math.max(mostLeft, files.filter((file) => file.endsWith(".tmp")).length);
    }
    // The remaining processes also continue after the last kill.
    const before = [...alive].reduce((sum, { lines }) => sum + lines.length, 0);
    while ([...alive].reduce((sum, { lines }) => sum + lines.length, 0) < before + 3) await pause(5);
    await Promise.all([...alive].map(kill));

    const acknowledged = all.flatMap(({ lines }) => lines as Acknowledged[]);
    for (const id of ["notes", "tasks", "moves"]) {
      const kept = await journalOf(id);
      expect(new Set(kept).size, `${id} has every text once`).toBe(kept.length);
      const there = new Set(kept);
      const lost = acknowledged.filter(({ spec, text }) => spec === id && !there.has(text));
      expect(lost).toEqual([]);
    }
    const moments = acknowledged.map(({ at }) => at).toSorted((one, other) => one - other);
    const waits = kills
      .map((at) => (moments.find((moment) => moment > at) ?? Number.POSITIVE_INFINITY) - at)
      .toSorted((one, other) => one - other);
    const [median = 0, max = 0] = [waits[times / 2], waits[times - 1]];
    process.stdout.write(
      `${kills.length} writers killed, ${acknowledged.length} changes acknowledged and kept; from a kill to the next change ${median.toFixed(0)} ms (median), ${max.toFixed(0)} ms (max); at most ${mostLeft} temporary files at once\n`,
    );
    // A busy machine may be slow. If a process had to wait until a lock expires, this would take 30 seconds.
    expect(median).toBeLessThan(2_000);
    expect(max).toBeLessThan(20_000);

    // The next writer removes the leftovers of killed processes.
    const cli = async (...argv: readonly string[]) => {
      const { success, data } = await callCli(argv, { cwd: workspace.folder });
      expect([success, data]).toMatchObject([true, {}]);
      return data;
    };
    for (const id of ["notes", "tasks", "moves"]) {
      await cli("journal", "add", id, "--title", "After all", "--content", "Said");
      expect(await cli("validate", "check", id)).toMatchObject({ is_valid: true });
    }
    // A staged text of a move that was never made is removed by the next move.
    const { status } = await cli("lifecycle", "state", "moves");
    const last = status === "active" ? "pending" : "active";
    await cli("lifecycle", "move", "moves", last);
    expect(await settledFilesBelow(workspace.specs)).toEqual(
      [
        ".foundry/.gitignore",
        ...["notes", "tasks", "moves"].flatMap((id) => [
          `.foundry/history/${id}/base.json`,
          `.foundry/history/${id}/log.jsonl`,
          `.foundry/history/${id}/replaced.json`,
          `.foundry/state/${id}.json`,
        ]),
        "active/notes.json",
        "active/tasks.json",
        `${last}/moves.json`,
      ].toSorted(),
    );
    // The history leads from each revision to the next, even if processes were killed in between.
    for (const id of ["notes", "tasks", "moves"]) {
      const { entries } = (await cli("specs", "history", id, "--limit", "50")) as {
        entries: { revision: string }[];
      };
      expect(entries).toHaveLength(50);
      for (const { revision } of entries.toReversed().slice(0, 10))
        expect(await cli("specs", "diff", id, "--from-revision", revision)).toMatchObject({
          from_revision: revision,
          journal: { removed: 0 },
        });
    }
    expect(mostLeft).toBeLessThan(20);
  }, 400_000);
});
