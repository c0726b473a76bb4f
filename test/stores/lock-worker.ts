import { writeSync } from "node:fs";
import { open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { replaceFile } from "#built/foundry/files/durable/write-file.js";
import { acquireLock } from "#built/foundry/files/lock/file-lock.js";
import { requireHeld } from "#built/foundry/files/lock/lock-failures.js";
import { lockNames } from "#built/foundry/files/lock/lock-names.js";

// This program is one of several processes that use a lock concurrently. Each mode is a role in a test.
const [mode = "", folder = "", name = "", times = "25"] = process.argv.slice(2);
const lockPath = join(folder, "locks", "count.lock");
const countPath = join(folder, "count.json");
const files = createWorkspaceFiles({ root: folder, removable: [lockNames("locks")] });

/** Prints a line synchronously, so that it is not lost if the process dies in the next step. */
const say = (...words: readonly (string | number)[]): void => void writeSync(1, `${words.join(" ")}\n`);
const clock = () => performance.timeOrigin + performance.now();

/** Increments the value that the file contains under the name of this process. */
async function increment(): Promise<number> {
  const lock = await acquireLock(files, lockPath, { waitMs: 60_000, purpose: `count for ${name}` });
  say("held", clock());
  try {
    const counts = JSON.parse(await readFile(countPath, "utf8")) as Record<string, number>;
    const count = (counts[name] ?? 0) + 1;
    const text = Buffer.from(JSON.stringify({ ...counts, [name]: count }));
    await replaceFile(files, countPath, [text], { beforeRename: () => requireHeld(lock) });
    say("kept", count);
    return count;
  } finally {
    await lock.release();
    say("released", clock());
  }
}

/** Acquires the lock, and checks that no other process holds it. Reports the result after the lock is released. */
async function enter(): Promise<void> {
  const lock = await acquireLock(files, lockPath, { waitMs: 60_000 });
  const found = await lookInside();
  await lock.release();
  say(found);
}

async function lookInside(): Promise<string> {
  const inside = join(folder, "inside");
  try {
    await (await open(inside, "wx")).close();
    await pause(Math.random() * 2);
    await unlink(inside);
    return "alone";
  } catch (err) {
    return `fault ${String(err)}`;
  }
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  async count() {
    for (let done = 0; done < Number(times); done++) await increment();
  },
  async flood() {
    say("ready");
    for (;;) await increment();
  },
  /** Acquires the lock once for every line of its input. */
  async enter() {
    say("ready");
    for await (const _ of createInterface({ input: process.stdin })) await enter();
  },
  /** Holds the lock until its input ends, and then writes. */
  async hold() {
    const lock = await acquireLock(files, lockPath, { waitMs: 60_000 });
    say("held", clock());
    for await (const _ of process.stdin);
    const text = Buffer.from(JSON.stringify({ held: 1 }));
    await replaceFile(files, countPath, [text], { beforeRename: () => requireHeld(lock) });
    await lock.release();
    say("released", clock());
  },
};

await modes[mode]?.();
