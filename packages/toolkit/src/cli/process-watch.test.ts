import { isContractError } from "@foundry-mcp/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openProcessWatch } from "./process-watch.ts";

const never = new Promise<never>(() => {});
const opened: { close(): void }[] = [];
const open = (...args: Parameters<typeof openProcessWatch>) => {
  const watch = openProcessWatch(...args);
  opened.push(watch);
  return watch;
};

afterEach(() => {
  for (const watch of opened.splice(0)) watch.close();
  vi.restoreAllMocks();
});

describe("the watch over a process", () => {
  it("ends the call at the first interrupt, and the process at the second", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
    const watch = open(true, undefined);
    process.emit("SIGINT");
    expect([watch.signal.aborted, exit.mock.calls]).toEqual([true, []]);
    const thrown: unknown = await watch.untilEnd(never).catch((err: unknown) => err);
    expect(isContractError(thrown) && thrown.options.errorCode).toBe("CANCELLED");
    process.emit("SIGINT");
    expect(exit.mock.calls).toEqual([[130]]);
  });

  it("leaves work behind that an exception has overtaken", async () => {
    // The test runner also listens to this event and would report the exception as a failed test.
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    const watch = open(true, undefined);
    const waiting = watch.untilCrash(never).catch((err: unknown) => err);
    process.emit("uncaughtException", new Error("planted"));
    expect(String(await waiting)).toBe("Error: planted");
    watch.close();
    for (const listener of others) process.on("uncaughtException", listener);
  });

  it("listens to nothing once it is closed, or where it is off", () => {
    const count = () => process.listenerCount("SIGINT") + process.listenerCount("unhandledRejection");
    const before = count();
    const watch = open(true, undefined);
    expect(count()).toBe(before + 2);
    watch.close();
    open(false, undefined);
    expect(count()).toBe(before);
  });

  it("hears a signal of its caller, also one that has fired", () => {
    const ending = new AbortController();
    const watch = open(false, ending.signal);
    expect(watch.signal.aborted).toBe(false);
    ending.abort();
    expect([watch.signal.aborted, open(false, ending.signal).signal.aborted]).toEqual([true, true]);
  });
});
