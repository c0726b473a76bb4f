import { afterEach, describe, expect, it } from "vitest";
import { isOwnerDead } from "../lock/lock-owner.ts";
import { createDeadOwner, createTestOwner, startZombie } from "../lock/testing/owners.ts";
import { currentProcess, isPidInUse, readProcessState } from "./process-identity.ts";

const never = () => Promise.reject(new Error("nobody may ask how old it is"));
const { platform } = process;
const pretend = (value: string) => Object.defineProperty(process, "platform", { value });
afterEach(() => pretend(platform));

describe("a process", () => {
  it("is identified and found by its pid", async () => {
    const me = await currentProcess();
    expect(await currentProcess()).toBe(me);
    expect(await readProcessState(process.pid)).toEqual({ isEnded: false, startTime: me.startTime });
    expect([isPidInUse(process.pid), isPidInUse((await createDeadOwner()).pid)]).toEqual([true, false]);
  });

  it.skipIf(platform !== "linux")("has all identifying fields on Linux", async () => {
    expect(await currentProcess()).toEqual({
      pid: process.pid,
      startTime: expect.stringMatching(/^\d+$/),
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace: expect.stringMatching(/^pid:\[\d+\]( time:\[\d+\])?$/),
      host: expect.stringMatching(/./),
    });
  });

  it.skipIf(platform === "win32")("is found through ps without /proc", async () => {
    pretend("darwin");
    const start = expect.stringMatching(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
    expect(await readProcessState(process.pid)).toEqual({ isEnded: false, startTime: start });
    expect(await readProcessState((await createDeadOwner()).pid)).toEqual({ isEnded: false, startTime: "" });
  });
});

describe("an owner is dead", () => {
  it.skipIf(platform === "win32").each(platform === "linux" ? ["linux", "darwin"] : [platform])(
    "as a zombie, as seen on %s",
    async (as) => {
      const zombie = await startZombie();
      try {
        const { startTime } = await readProcessState(zombie.pid);
        pretend(as);
        const isDead = async () => isOwnerDead(await createTestOwner({ pid: zombie.pid, startTime }), never);
        await expect.poll(isDead).toBe(true);
      } finally {
        await zombie.end();
      }
    },
  );

  it("by its pid, else by its renewals, if start times are unknown", async () => {
    pretend("win32");
    expect(await isOwnerDead(await createDeadOwner(), never)).toBe(true);
    const alive = await createTestOwner({ startTime: "" });
    expect([
      await isOwnerDead(alive, async () => 29_000),
      await isOwnerDead(alive, async () => 30_000),
    ]).toEqual([false, true]);
  });
});
