import { afterEach, describe, expect, it, vi } from "vitest";
import { isGone } from "../lock/lock-owner.ts";
import { createDeadOwner, createTestOwner, startZombie } from "../lock/testing/owners.ts";
import { isPidInUse, lookUpProcess, whoAmI } from "./process-identity.ts";

const never = () => Promise.reject(new Error("nobody may ask how old it is"));
const { platform } = process;
const pretend = (value: string) => Object.defineProperty(process, "platform", { value });
afterEach(() => pretend(platform));

describe("a process", () => {
  it("knows itself, and is found by its number", async () => {
    const me = await whoAmI();
    expect(await whoAmI()).toBe(me);
    expect(await lookUpProcess(process.pid)).toEqual({ isEnded: false, startTime: me.startTime });
    expect([isPidInUse(process.pid), isPidInUse((await createDeadOwner()).pid)]).toEqual([true, false]);
  });

  it.skipIf(platform !== "linux")("has on Linux all that tells it from others", async () => {
    expect(await whoAmI()).toEqual({
      pid: process.pid,
      startTime: expect.stringMatching(/^\d+$/),
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace: expect.stringMatching(/^pid:\[\d+\]( time:\[\d+\])?$/),
      host: expect.stringMatching(/./),
    });
  });

  it.skipIf(platform === "win32")("is found through ps where there is no other way", async () => {
    pretend("darwin");
    const start = expect.stringMatching(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
    expect(await lookUpProcess(process.pid)).toEqual({ isEnded: false, startTime: start });
    expect(await lookUpProcess((await createDeadOwner()).pid)).toEqual({ isEnded: false, startTime: "" });
  });
});

describe("an owner is gone", () => {
  it.skipIf(platform === "win32").each(platform === "linux" ? ["linux", "darwin"] : [platform])(
    "as a zombie, as seen on %s",
    async (as) => {
      const zombie = await startZombie();
      try {
        const { startTime } = await lookUpProcess(zombie.pid);
        pretend(as);
        await vi.waitFor(async () =>
          expect(await isGone(await createTestOwner({ pid: zombie.pid, startTime }), never)).toBe(true),
        );
      } finally {
        await zombie.end();
      }
    },
  );

  it("where no start time can be known: by its number, else by its renewals", async () => {
    pretend("win32");
    expect(await isGone(await createDeadOwner(), never)).toBe(true);
    const alive = await createTestOwner({ startTime: "" });
    expect([await isGone(alive, async () => 29_000), await isGone(alive, async () => 30_000)]).toEqual([
      false,
      true,
    ]);
  });
});
