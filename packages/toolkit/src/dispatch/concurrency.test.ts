import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCallSlots } from "./concurrency.ts";

type Slots = ReturnType<typeof createCallSlots>;

/** Acquires a slot for each letter, which names a client; returns the outcome of each attempt. */
function acquire(slots: Slots, clients: string): ("runs" | "refused" | Promise<void>)[] {
  return [...clients].map((client) => {
    try {
      return slots.acquire(client) ?? "runs";
    } catch (thrown) {
      if (!isContractError(thrown)) throw thrown;
      return "refused";
    }
  });
}

const acquireAll = (slots: Slots, clients: string) =>
  acquire(slots, clients).map((outcome) => (outcome instanceof Promise ? "waits" : outcome));

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the slots of a server", () => {
  it("leave one in eight to others, and let one client have all of fewer than eight", () => {
    const slots = createCallSlots({ running: 16, waiting: 8 });
    const greedy = acquireAll(slots, "a".repeat(40));
    expect([greedy.lastIndexOf("runs") + 1, greedy.lastIndexOf("waits") + 1]).toEqual([14, 21]);
    expect(acquireAll(slots, "bc")).toEqual(["runs", "runs"]);
    expect(acquireAll(slots, "d")).toEqual(["waits"]);
    const few = createCallSlots({ running: 7, waiting: 2 });
    expect(acquireAll(few, "a".repeat(10))).toEqual([
      ...Array<string>(7).fill("runs"),
      "waits",
      "waits",
      "refused",
    ]);
  });

  it("go to clients by turns, not in the order of arrival", async () => {
    const slots = createCallSlots({ running: 1, waiting: 10 });
    const order: string[] = [];
    slots.acquire("a");
    for (const client of "aaab") void slots.acquire(client)?.then(() => order.push(client));
    for (let released = "a"; order.length < 4; released = order.at(-1) as string) {
      slots.release(released);
      await turn();
    }
    expect(order).toEqual(["a", "b", "a", "a"]);
    slots.release("a");
    expect([slots.running, slots.waiting]).toEqual([0, 0]);
  });

  it("stay free for others while one client waits for its own calls to end", async () => {
    const slots = createCallSlots({ running: 8, waiting: 10 });
    expect(acquireAll(slots, "a".repeat(9)).slice(6)).toEqual(["runs", "waits", "waits"]);
    expect([slots.running, slots.waiting]).toEqual([7, 2]);
    expect(acquireAll(slots, "b")).toEqual(["runs"]);
    slots.release("b");
    expect([slots.running, slots.waiting]).toEqual([7, 2]);
    slots.release("a");
    expect([slots.running, slots.waiting]).toEqual([7, 1]);
  });

  it("never exceed their limits, count every call once, and always take a client that has no call", async () => {
    const limits = fc.record({ running: fc.integer({ min: 1, max: 20 }), waiting: fc.nat(20) });
    const steps = fc.array(
      fc.tuple(fc.constantFrom(..."abc"), fc.constantFrom("call", "call", "end", "cancel")),
      { maxLength: 100 },
    );
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limit, all) => {
        const slots = createCallSlots(limit);
        const running = [..."abc"].map((client) => ({ client, calls: 0 }));
        const waiting = new Map<Promise<void>, string>();
        for (const [client, step] of all) {
          const own = running.find((each) => each.client === client) as { calls: number };
          const [before, free] = [own.calls, limit.running - slots.running];
          if (step === "call") {
            const [outcome] = acquire(slots, client);
            if (outcome instanceof Promise) {
              waiting.set(outcome, client);
              void outcome.then(() => {
                if (waiting.delete(outcome)) own.calls += 1;
              });
            } else if (outcome === "runs") own.calls += 1;
            if (outcome !== "runs") expect(before > 0 || free === 0).toBe(true);
          } else if (step === "end" && before > 0) {
            own.calls -= 1;
            slots.release(client);
          } else if (step === "cancel") {
            const [call] = [...waiting].find(([, waiter]) => waiter === client) ?? [];
            if (call !== undefined && waiting.delete(call)) slots.cancel(client, call);
          }
          await Promise.resolve();
          expect(slots.running).toBe(running.reduce((sum, { calls }) => sum + calls, 0));
          expect(slots.waiting).toBe(waiting.size);
          expect(slots.running).toBeLessThanOrEqual(limit.running);
          expect(slots.waiting).toBeLessThanOrEqual(limit.waiting);
        }
      }),
    );
  });
});
