import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusalOf } from "../../servers/testing/refusal.ts";
import { currentProcess } from "../durable/process-identity.ts";
import { acquireLock } from "./file-lock.ts";
import { requireHeld } from "./lock-failures.ts";
import { parseLockText, toLockText } from "./lock-owner.ts";
import { createLockFiles } from "./testing/lock-files.ts";
import { createDeadOwner, createTestOwner, toDeadLock } from "./testing/owners.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  path = join(folder, "a.lock");
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const names = async () => (await readdir(folder)).sort();
/** Sets the age of a file, as if its lock had not been renewed for this time. */
const age = async (ageMs: number, file = path) => {
  const then = (Date.now() - ageMs) / 1_000;
  await utimes(file, then, then);
};

describe("a lock", () => {
  it("names its owner while held and removes its file on release", async () => {
    const lock = await acquireLock(createLockFiles(folder), path, { purpose: "complete task-1-1" });
    expect(parseLockText(await readFile(path, "utf8"))).toEqual(lock.owner);
    expect(lock.owner).toEqual({
      ...(await currentProcess()),
      nonce: expect.stringMatching(/^[0-9a-f]{16}$/),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      purpose: "complete task-1-1",
    });
    expect([await names(), await lock.isHeld()]).toEqual([["a.lock"], true]);
    await lock.release();
    await lock.release();
    expect([await names(), await lock.isHeld()]).toEqual([[], false]);
  });

  it("creates its folder", async () => {
    const lock = await acquireLock(createLockFiles(folder), join(folder, "x", "y", "a.lock"));
    expect(await lock.isHeld()).toBe(true);
    await lock.release();
  });

  it("admits the callers of one process one at a time, in order", async () => {
    const order: number[] = [];
    let inside = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const lock = await acquireLock(createLockFiles(folder), path);
        expect(++inside).toBe(1);
        await readFile(path);
        order.push(index);
        inside--;
        await lock.release();
      }),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(await names()).toEqual([]);
  });

  it("is renewed while it is held", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const lock = await acquireLock(createLockFiles(folder), path);
    const text = await readFile(path, "utf8");
    await age(25_000);
    vi.advanceTimersByTime(5_000);
    await expect.poll(async () => Date.now() - (await stat(path)).mtimeMs).toBeLessThan(20_000);
    expect(await readFile(path, "utf8")).toBe(text);
    await lock.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reports a takeover by another process and does not release that lock", async () => {
    const lock = await acquireLock(createLockFiles(folder), path);
    const other = toLockText(await createTestOwner());
    await writeFile(path, other);
    expect(await lock.isHeld()).toBe(false);
    expect(await refusalOf(() => requireHeld(lock))).toEqual({
      code: "RESOURCE_BUSY",
      message: `Cannot write: the lock "a.lock" was taken over from process ${process.pid}, which held it since ${lock.owner.since}`,
      remediation: "Nothing was changed. Call again: the change is then made to the current state.",
      field: undefined,
    });
    await lock.release();
    expect(await readFile(path, "utf8")).toBe(other);
  });
});

describe("waiting for a lock", () => {
  it("times out with the name of the holder", async () => {
    const lock = await acquireLock(createLockFiles(folder), path, { purpose: "complete task-1-1" });
    const refusal = {
      code: "RESOURCE_BUSY",
      message: `Cannot lock "a.lock" within 30 ms: process ${process.pid} on ${JSON.stringify(lock.owner.host)} has had it since ${lock.owner.since} (complete task-1-1)`,
      remediation: `Try again in a moment; if process ${process.pid} hangs, end it, which releases the lock.`,
      field: undefined,
    };
    expect(await refusalOf(() => acquireLock(createLockFiles(folder), path, { waitMs: 30 }))).toEqual(
      refusal,
    );
    await lock.release();
    const next = await acquireLock(createLockFiles(folder), path, { waitMs: 30 });
    await next.release();
  });

  it("times out on another process and leaves no file behind", async () => {
    const owner = await createTestOwner();
    await writeFile(path, toLockText(owner));
    const wait = acquireLock(createLockFiles(folder), path, { waitMs: 60 });
    // The second call waits behind the first call in the queue of this process.
    const refusals = await Promise.all([
      refusalOf(() => wait),
      refusalOf(() => acquireLock(createLockFiles(folder), path, { waitMs: 30 })),
    ]);
    expect(refusals).toMatchObject(
      [60, 30].map((ms) => ({
        code: "RESOURCE_BUSY",
        message: `Cannot lock "a.lock" within ${ms} ms: process ${process.pid} on ${JSON.stringify(owner.host)} has had it since 2026-01-02T03:04:05.678Z`,
      })),
    );
    expect(await names()).toEqual(["a.lock"]);
  });

  it("leaves the queue when cancelled, at any position", async () => {
    const lock = await acquireLock(createLockFiles(folder), path);
    const [inLine, stays, late] = [new AbortController(), new AbortController(), new AbortController()];
    const waiting = refusalOf(() => acquireLock(createLockFiles(folder), path, { signal: inLine.signal }));
    const next = acquireLock(createLockFiles(folder), path, { signal: stays.signal });
    const last = refusalOf(() => acquireLock(createLockFiles(folder), path, { signal: late.signal }));
    inLine.abort();
    const refusal = {
      code: "CANCELLED",
      message: 'The call was cancelled while it waited for the lock "a.lock"',
    };
    expect(await waiting).toMatchObject(refusal);
    await lock.release();
    const held = await next;
    late.abort();
    expect(await last).toMatchObject(refusal);
    expect(
      await refusalOf(() => acquireLock(createLockFiles(folder), path, { signal: AbortSignal.abort() })),
    ).toMatchObject(refusal);
    await held.release();
    expect(await names()).toEqual([]);
  });

  it("can be cancelled, and acquires the lock of another process once it is free", async () => {
    await writeFile(path, toLockText(await createTestOwner()));
    const control = new AbortController();
    const waiting = refusalOf(() => acquireLock(createLockFiles(folder), path, { signal: control.signal }));
    await expect.poll(names).toHaveLength(2);
    control.abort();
    expect(await waiting).toMatchObject({ code: "CANCELLED" });
    const next = acquireLock(createLockFiles(folder), path);
    await expect.poll(names).toHaveLength(2);
    await rm(path);
    await (await next).release();
    expect(await names()).toEqual([]);
  });

  it("reports why no lock file can be created", async () => {
    await mkdir(path);
    await writeFile(join(folder, "plain"), "");
    expect(await refusalOf(() => acquireLock(createLockFiles(folder), path))).toMatchObject({
      code: "INVALID_PATH",
      message: 'Cannot read "a.lock": it is a folder',
    });
    expect(
      await refusalOf(() => acquireLock(createLockFiles(folder), join(folder, "plain", "b.lock"))),
    ).toMatchObject({
      code: "INVALID_PATH",
      message: 'Cannot lock "b.lock": a part of its path is no folder',
    });
    const lock = await acquireLock(createLockFiles(folder), join(folder, "c.lock"));
    await lock.release();
  });
});

/** Writes the file of a process that waits for the lock. */
async function wait(pid: number, since: number): Promise<string> {
  const { host, bootId, namespace } = await currentProcess();
  const scope = createHash("sha256").update(`${host}\n${bootId}\n${namespace}`).digest("hex").slice(0, 8);
  const time = Math.round(since * 1_000)
    .toString(16)
    .padStart(13, "0");
  const file = join(folder, `.a.lock.${scope}-${pid}-${time}000.tmp`);
  await writeFile(file, "");
  return file;
}

describe("the line of processes", () => {
  const acquire = async (order: string[], name: string) => {
    const lock = await acquireLock(createLockFiles(folder), path);
    order.push(name);
    await lock.release();
  };

  it("lets a process that came first go first", async () => {
    await writeFile(path, toLockText(await createTestOwner()));
    const first = await wait(process.ppid, Date.now() - 5_000);
    const order: string[] = [];
    const mine = acquire(order, "mine");
    await expect.poll(names).toHaveLength(3);
    // The holder ends, and the first process gets the lock.
    await writeFile(path, toLockText(await createTestOwner()));
    await rm(first);
    order.push("first");
    await rm(path);
    await mine;
    expect(order).toEqual(["first", "mine"]);
  });

  it.each([
    ["is dead", async () => wait((await createDeadOwner()).pid, Date.now() - 1_000)],
    ["began to wait long ago", () => wait(process.ppid, Date.now() - 61_000)],
    ["leaves the lock free", () => wait(process.ppid, Date.now() - 1_000)],
    ["came later", () => wait(process.ppid, Date.now() + 10_000)],
  ])("does not wait for a process that %s", async (_, add) => {
    const file = await add();
    const lock = await acquireLock(createLockFiles(folder), path, { waitMs: patient });
    expect(await lock.isHeld()).toBe(true);
    await rm(file, { force: true });
    await lock.release();
  });

  it("tells a holder that another process waits", async () => {
    const lock = await acquireLock(createLockFiles(folder), path);
    expect(await lock.isAwaited()).toBe(false);
    await wait(process.ppid, Date.now() - 1_000);
    expect(await lock.isAwaited()).toBe(true);
    await lock.release();
  });
});

const brief = 50;
const patient = 20_000;

/**
 * Returns the outcome of acquiring a lock while a lock file exists. Either the lock is taken over, or the wait times
 * out.
 */
async function outcome(text: string, ageMs: number, waitMs: number): Promise<string> {
  await writeFile(path, text);
  await age(ageMs);
  try {
    const lock = await acquireLock(createLockFiles(folder), path, { waitMs });
    await lock.release();
    return (await names()).length === 0 ? "taken" : `left ${await names()}`;
  } catch (err) {
    expect(err).toMatchObject({ code: "RESOURCE_BUSY" });
    return (await readFile(path, "utf8")) === text ? "busy" : "changed";
  }
}

describe("a stale lock", () => {
  it("is taken over at once if its owner is dead, and never if it lives", async () => {
    expect(await outcome(toLockText(await createDeadOwner()), 0, patient)).toBe("taken");
    expect(await outcome(toLockText(await createTestOwner()), 86_400_000, brief)).toBe("busy");
  });

  it.skipIf(process.platform === "win32")(
    "is taken over at once if a later process has the owner's pid",
    async () => {
      expect(await outcome(toLockText(await createTestOwner({ startTime: "12" })), 0, patient)).toBe("taken");
    },
  );

  it.each([
    ["on another machine", { host: "elsewhere" }],
    ["before a restart", { bootId: "earlier" }],
    ["in another container", { namespace: "pid:[1] time:[2]" }],
    ["whose start nobody knows", { startTime: "" }],
  ])("%s is taken over after 30 seconds without a renewal", async (_where, own) => {
    const text = toLockText(await createTestOwner(own));
    expect(await outcome(text, 25_000, brief)).toBe("busy");
    expect(await outcome(text, 31_000, patient)).toBe("taken");
  });

  it.each([
    ["is empty", ""],
    ["was cut short", '{"lock":1,"pid":12,"sta'],
    ["is no JSON", "pid 12"],
    ["is JSON of another kind", "null"],
    ["is of a later form", JSON.stringify({ lock: 2, pid: 12 })],
  ])("that %s is taken over when it is 30 seconds old", async (_what, text) => {
    expect(await outcome(text, 25_000, brief)).toBe("busy");
    expect(await refusalOf(() => acquireLock(createLockFiles(folder), path, { waitMs: 1 }))).toEqual({
      code: "RESOURCE_BUSY",
      message: 'Cannot lock "a.lock" within 1 ms: the lock file names no owner',
      remediation: "Try again in 30 seconds: a lock file without an owner is removed then.",
      field: undefined,
    });
    expect(await outcome(text, 31_000, patient)).toBe("taken");
  });
});

describe("a process that died while breaking a lock", () => {
  it("does not block others, however many died", async () => {
    const [holder, first, second] = [await toDeadLock(), await toDeadLock(), await toDeadLock()];
    await writeFile(path, holder.text);
    await writeFile(`${path}.break.${holder.nonce}`, first.text);
    await writeFile(`${path}.break.${first.nonce}`, second.text);
    const lock = await acquireLock(createLockFiles(folder), path, { waitMs: 2_000 });
    expect(await names()).toEqual(["a.lock"]);
    await lock.release();
  });

  it("blocks others while it is alive", async () => {
    const holder = await toDeadLock();
    const right = `${path}.break.${holder.nonce}`;
    await writeFile(path, holder.text);
    await writeFile(right, toLockText(await createTestOwner()));
    expect(await refusalOf(() => acquireLock(createLockFiles(folder), path, { waitMs: 50 }))).toMatchObject({
      code: "RESOURCE_BUSY",
    });
    expect(await names()).toEqual(["a.lock", `a.lock.break.${holder.nonce}`]);
    await rm(right);
    const lock = await acquireLock(createLockFiles(folder), path, { waitMs: 2_000 });
    await lock.release();
  });
});
