import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, type FileSystem } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentProcess } from "#built/foundry/files/durable/process-identity.js";
import { removeStaleTemporaries } from "#built/foundry/files/durable/temporary-files.js";
import { acquireLock } from "#built/foundry/files/lock/file-lock.js";
import { readLock } from "#built/foundry/files/lock/lock-file.js";
import { lockNames } from "#built/foundry/files/lock/lock-names.js";
import { toLockText } from "#built/foundry/files/lock/lock-owner.js";
import { removeStaleLocks } from "#built/foundry/files/lock/stale-locks.js";
import { endLockProcesses, type LockProcess, startLockProcess } from "./lock-processes.ts";

let folder: string;
let lockPath: string;
let files: FileSystem;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  lockPath = join(folder, "locks", "count.lock");
  files = createWorkspaceFiles({ root: folder, removable: [lockNames("locks")] });
  await mkdir(join(folder, "locks"));
  await writeFile(join(folder, "count.json"), "{}");
});
afterEach(async () => {
  await endLockProcesses();
  await rm(folder, { recursive: true, force: true });
});

const readCounts = async () =>
  JSON.parse(await readFile(join(folder, "count.json"), "utf8")) as Record<string, number>;
/** Returns the leftover files after all processes have ended. */
const leftovers = async () => [
  ...(await readdir(join(folder, "locks"))),
  ...(await readdir(folder)).filter((name) => name !== "locks" && name !== "count.json"),
];
/** Returns the steps that a process has reported. */
const timesOf = ({ lines }: LockProcess, what: string) =>
  lines.filter((line) => line.startsWith(`${what} `)).map((line) => Number(line.split(" ")[1]));

function report(what: string, values: readonly number[]): { median: number; max: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const [median, p99, max] = [at(0.5), at(0.99), at(1)];
  const [shown, shown99, most] = [median, p99, max].map((value) => value.toFixed(1));
  process.stdout.write(`${what}: ${values.length} times, median ${shown} ms, p99 ${shown99}, max ${most}\n`);
  return { median, max };
}

describe("several processes", () => {
  it("that count under one lock lose nothing: 16 processes, 25 times each", async () => {
    const processes = Array.from({ length: 16 }, (_, index) =>
      startLockProcess(["count", folder, `p${index}`, "25"]),
    );
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual(Array(16).fill(0));
    const expected = Object.fromEntries(processes.map((_, index) => [`p${index}`, 25]));
    expect(await readCounts()).toEqual(expected);
    const starts = processes.flatMap((each) => timesOf(each, "held"));
    expect(starts).toHaveLength(400);
    const [first, last] = [Math.min(...starts), Math.max(...starts)];
    process.stdout.write(`400 increments in ${(last - first).toFixed(0)} ms\n`);
    expect(await leftovers()).toEqual([]);
  });

  it("of which the holder is killed keep all they acknowledged, and go on at once: 200 times", async () => {
    const alive = new Map<number, { readonly name: string; readonly process: LockProcess }>();
    const all: { readonly name: string; readonly process: LockProcess }[] = [];
    const startOne = () => {
      const name = `p${all.length}`;
      const process = startLockProcess(["flood", folder, name]);
      all.push({ name, process });
      alive.set(process.child.pid ?? 0, { name, process });
    };
    for (let index = 0; index < 5; index++) startOne();
    const kills: number[] = [];
    let others = 0;
    while (kills.length < 200) {
      await pause(Math.random() * 20);
      const holder = (await readLock(files, lockPath).catch(() => undefined))?.owner;
      const victim = alive.get(holder?.pid ?? 0);
      const waiting = [...alive.values()].filter(
        ({ process }) => process.lines.length > 0 && process !== victim?.process,
      );
      // The start of the processes is not included in the measured time.
      if (holder === undefined || victim === undefined || waiting.length < 2) continue;
      // The kill is at any time from the start of the work to after its end, in order to interrupt unfinished work.
      await pause(Math.random() * 4);
      const killedAt = performance.timeOrigin + performance.now();
      victim.process.child.kill("SIGKILL");
      alive.delete(holder.pid);
      await victim.process.ended;
      const isHolder = /^(held|kept) /.test(victim.process.lines.at(-1) ?? "");
      if (isHolder) kills.push(killedAt);
      else others++;
      startOne();
    }
    // The remaining processes also continue after the last kill.
    const survivors = [...alive.values()];
    const before = survivors.map(({ process }) => process.lines.length);
    while (!survivors.some(({ process }, index) => process.lines.length > (before[index] ?? 0) + 2))
      await pause(5);
    await Promise.all(survivors.map(({ process }) => process.kill()));

    const counts = await readCounts();
    const wrong = all.filter(({ name, process }) => {
      const kept = timesOf(process, "kept").length;
      const count = counts[name] ?? 0;
      // The file may also contain a value that was written but not yet acknowledged when the process was
      // killed.
      return count !== kept && count !== kept + 1;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const acknowledged = all.reduce((sum, { process }) => sum + timesOf(process, "kept").length, 0);
    process.stdout.write(
      `${kills.length} killed while they held the lock, ${others} otherwise; ${acknowledged} acknowledged and kept\n`,
    );
    const starts = all
      .flatMap(({ process }) => timesOf(process, "held"))
      .toSorted((one, other) => one - other);
    const waits = kills.map(
      (killedAt) => (starts.find((start) => start > killedAt) ?? Number.NaN) - killedAt,
    );
    const { median, max } = report("from the kill of a holder to the next", waits);
    // A busy machine may be slow. If a process had to wait until a lock expires, this would take 30 seconds.
    expect(median).toBeLessThan(2_000);
    expect(max).toBeLessThan(20_000);

    await removeStaleLocks(files, join(folder, "locks"));
    await removeStaleTemporaries(files, folder);
    expect(await leftovers()).toEqual([]);
  });

  it("that find one stale lock together never hold it together: 8 processes, 200 times", async () => {
    const processes = Array.from({ length: 8 }, () => startLockProcess(["enter", folder]));
    for (const each of processes) expect(await each.next()).toBe("ready");
    const dead = { ...(await currentProcess()), pid: spawnSync("true").pid, since: new Date().toISOString() };
    for (let round = 0; round < 200; round++) {
      const nonce = (2 * round).toString(16).padStart(16, "0");
      const breaker = (2 * round + 1).toString(16).padStart(16, "0");
      // In every second round, a process has died while it was taking over the lock.
      if (round % 2 === 1)
        await writeFile(`${lockPath}.break.${nonce}`, toLockText({ ...dead, nonce: breaker }));
      await writeFile(lockPath, toLockText({ ...dead, nonce }));
      for (const { child } of processes) child.stdin?.write("go\n");
      const said = await Promise.all(processes.map((each) => each.next()));
      expect(said, `round ${round}`).toEqual(Array(8).fill("alone"));
    }
    for (const { child } of processes) child.stdin?.end();
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual(Array(8).fill(0));
    expect(await leftovers()).toEqual([]);
  });
});

async function expectBusy(pid: number): Promise<void> {
  const failure = await acquireLock(files, lockPath, { waitMs: 3_000 }).catch((err: unknown) => err);
  if (!isContractError(failure)) throw failure;
  expect(failure.code).toBe("RESOURCE_BUSY");
  expect(failure.message).toMatch(new RegExp(`within 3000 ms: process ${pid} on .* has had it since `));
}

describe("a holder that does nothing", () => {
  it("because it was stopped is not robbed, and finishes its work later", async () => {
    const holder = startLockProcess(["hold", folder]);
    expect(await holder.next()).toMatch(/^held/);
    holder.child.kill("SIGSTOP");
    await expectBusy(holder.child.pid ?? 0);
    const next = startLockProcess(["count", folder, "next", "1"]);
    holder.child.kill("SIGCONT");
    holder.child.stdin?.end();
    expect([await holder.ended, await next.ended]).toEqual([0, 0]);
    expect(await readCounts()).toEqual({ held: 1, next: 1 });
  });

  const ownPids = ["unshare", "--pid", "--fork", "--kill-child"];
  const canUnshare = spawnSync(ownPids[0] ?? "", [...ownPids.slice(1), "true"]).status === 0;
  it.skipIf(!canUnshare)(
    `in another container is not robbed either, though its number means nothing here${canUnshare ? "" : " (none can be made here)"}`,
    async () => {
      const holder = startLockProcess(["hold", folder], ownPids);
      expect(await holder.next()).toMatch(/^held/);
      await expectBusy((await readLock(files, lockPath))?.owner?.pid ?? 0);
      holder.child.stdin?.end();
      expect(await holder.ended).toBe(0);
      expect(await readCounts()).toEqual({ held: 1 });
    },
  );
});
