import { PassThrough, Writable } from "node:stream";
import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it, vi } from "vitest";
import { completeTask } from "../model/changes/complete-task.ts";
import { createMemoryStore } from "../stores/memory-store.ts";
import type { SpecStore } from "../stores/spec-store.ts";
import { runWatch } from "./run-watch.ts";
import { FakeKeys, FakeTerminal } from "./testing/fake-terminal.ts";
import { exampleDocument } from "./testing/watched-spec.ts";

const id = "parser-2026-01-02-001";
const now = () => "2026-01-02T12:00:00.000Z";
const until = "2026-01-02T12:05:00.000Z";
const hold = (store: SpecStore, task: string, holder: string | undefined) =>
  store.change(id, () => ({
    edits: [],
    result: 0,
    leases: {
      [task]: holder === undefined ? null : { task_id: task, token: "secret", holder, since: now(), until },
    },
  }));

async function openView(specId: string | undefined, [columns, rows] = [80, 40], clock = now) {
  const store = createMemoryStore(now);
  await store.create(id, exampleDocument, "active");
  const stdout = new FakeTerminal(columns ?? 80, rows ?? 40);
  const stdin = new FakeKeys();
  const ending = new AbortController();
  const ended = runWatch({
    store,
    specId,
    stdout,
    stdin,
    env: { NO_COLOR: "1" },
    signal: ending.signal,
    now: clock,
  });
  return { store, stdout, stdin, ended, end: () => ending.abort() };
}

const has = (text: string) => (lines: readonly string[]) => lines.some((line) => line.includes(text));

describe("runWatch on a terminal", () => {
  it("shows a spec and its changes, and restores the screen on q", async () => {
    const { store, stdout, stdin, ended } = await openView(id);
    await stdout.until(has("2 of 8 done"));
    expect([...stdout.modes]).toEqual(["1049"]);
    expect(stdin.isRaw).toBe(true);
    await store.change(id, completeTask({ task_id: "task-2-1" }));
    const lines = await stdout.until(has("3 of 8 done"));
    expect(lines).toContainEqual(expect.stringContaining("task-2-1 completed: Write the scanner"));
    stdin.write("q");
    await ended;
    expect([...stdout.modes]).toEqual(["7", "25"]);
    expect(stdin.isRaw).toBe(false);
    expect(stdout.written.startsWith("\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J")).toBe(true);
    expect(stdout.written.endsWith("\u001b[?7h\u001b[?25h\u001b[?1049l")).toBe(true);
    expect(
      [stdin, stdout].map((stream) => stream.listenerCount("data") + stream.listenerCount("resize")),
    ).toEqual([0, 0]);
    // After the end of the view, nothing is written.
    const { written } = stdout;
    await store.change(id, completeTask({ task_id: "task-2-2" }));
    stdout.resize(70, 20);
    expect(stdout.written).toBe(written);
  });

  it.each(["Q", "\u0003", "\u0004", "xyq"])("ends with the keys %j", async (keys) => {
    const { stdout, stdin, ended } = await openView(undefined);
    await stdout.until(has("1 spec, 1 active"));
    stdin.write(keys);
    await ended;
    expect([...stdout.modes]).toEqual(["7", "25"]);
  });

  it("ignores other keys and ends with its signal", async () => {
    const { stdout, stdin, ended, end, store } = await openView(undefined);
    await stdout.until(has("1 spec, 1 active"));
    stdin.write("\u001b[A\u001b[?1;2q\u001bOq\u001bqx");
    await store.create("other", { ...exampleDocument, spec_id: "other" }, "pending");
    await stdout.until(has("2 specs, 1 active"));
    end();
    await ended;
    expect([...stdout.modes]).toEqual(["7", "25"]);
  });

  it("ends when its terminal is gone", async () => {
    const first = await openView(id);
    await first.stdout.until(has("2 of 8 done"));
    first.stdin.end();
    await first.ended;
    const second = await openView(id);
    await second.stdout.until(has("2 of 8 done"));
    second.stdout.emit("error", Object.assign(new Error("EIO"), { code: "EIO" }));
    await second.ended;
  });

  it("shows leases without their tokens", async () => {
    const { store, stdout, stdin, ended } = await openView(undefined);
    await stdout.until(has("1 spec, 1 active"));
    await hold(store, "task-2-4", "agent-3");
    const lines = await stdout.until(has("agent-3 holds task-2-4"));
    expect(lines).toContain(
      "    task-2-4 Tell of errors by line and column               agent-3, 5 min left",
    );
    await hold(store, "task-2-4", undefined);
    expect(await stdout.until(has("agent-3 holds task-2-4 no more"))).not.toContainEqual(
      expect.stringContaining("min left"),
    );
    stdin.write("q");
    await ended;
    expect(stdout.written).not.toContain("secret");
  });

  it("redraws after a resize", async () => {
    const { stdout, stdin, ended } = await openView(id);
    await stdout.until(has("2 of 8 done"));
    stdout.resize(20, 3);
    expect(stdout.lines).toEqual(["A parser for… active", "25 %, 2 of 8 done, …"]);
    stdin.write("q");
    await ended;
  });

  it("writes only the lines that have changed", async () => {
    const { store, stdout, stdin, ended } = await openView(id, [80, 60]);
    await stdout.until(has("2 of 8 done"));
    const before = stdout.lines;
    stdout.written = "";
    await hold(store, "task-2-1", "agent-3");
    const after = await stdout.until(has("agent-3 holds"));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: such sequences contain ESC
    const touched = [...stdout.written.matchAll(/\u001b\[(\d+);1H/g)].map(([, row]) => Number(row) - 1);
    expect(touched).toEqual(after.flatMap((line, row) => (line === before[row] ? [] : [row])));
    expect(touched.length).toBeLessThan(5);
    stdin.write("q");
    await ended;
  });

  it("redraws once a second only while a lease is active", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    try {
      let time = now();
      const { store, stdout, stdin, ended } = await openView(id, [80, 40], () => time);
      await stdout.until(has("2 of 8 done"));
      expect(vi.getTimerCount()).toBe(1);
      await hold(store, "task-2-1", "agent-3");
      await stdout.until(has("agent-3, 5 min left"));
      expect(vi.getTimerCount()).toBe(2);
      time = "2026-01-02T12:04:20.000Z";
      vi.advanceTimersByTime(1_000);
      expect(stdout.lines).toContainEqual(expect.stringContaining("agent-3, 40 s left"));
      expect(vi.getTimerCount()).toBe(2);
      time = until;
      vi.advanceTimersByTime(1_000);
      expect(stdout.lines).toContainEqual(expect.stringContaining("left by agent-3"));
      expect(vi.getTimerCount()).toBe(1);
      stdin.write("q");
      await ended;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("shows problems and goes on", async () => {
    const { store, stdout, stdin, ended } = await openView(id);
    await stdout.until(has("2 of 8 done"));
    const broken = vi.spyOn(store, "read").mockRejectedValue(new Error("Cannot read: \u001b[31mno JSON"));
    await hold(store, "task-2-1", "agent-3");
    expect(await stdout.until(has("! Cannot read"))).toContain("! Cannot read: \\x1b[31mno JSON");
    broken.mockRestore();
    await hold(store, "task-2-1", "agent-4");
    expect(await stdout.until(has("agent-4, 5 min left"))).not.toContainEqual(expect.stringContaining("!"));
    stdin.write("q");
    await ended;
  });

  it("refuses an unknown spec before it takes the screen", async () => {
    const { stdout, ended } = await openView("nothing");
    const thrown = await ended.catch((error: unknown) => error);
    expect(isContractError(thrown) && thrown.code).toBe("SPEC_NOT_FOUND");
    expect(stdout.written).toBe("");
  });

  it("restores the screen after an error", async () => {
    const { store, stdout, stdin, ended } = await openView(id);
    await stdout.until(has("2 of 8 done"));
    vi.spyOn(stdout, "rows", "get").mockImplementation(() => {
      throw new RangeError("planned");
    });
    await store.change(id, completeTask({ task_id: "task-2-1" }));
    await expect(ended).rejects.toThrow("planned");
    expect([...stdout.modes]).toEqual(["7", "25"]);
    expect(stdin.isRaw).toBe(false);
  });
});

describe("runWatch into a pipe", () => {
  async function openPipe(specId?: string, count?: number, stdout: Writable = new PassThrough()) {
    const store = createMemoryStore(now);
    await store.create(id, exampleDocument, "active");
    const ending = new AbortController();
    const stdin = new PassThrough();
    let ended: Promise<void> = Promise.resolve();
    await new Promise<void>((onReady) => {
      ended = runWatch({ store, specId, count, stdout, stdin, env: {}, signal: ending.signal, now, onReady });
    });
    return { store, ended, stdout, end: () => ending.abort() };
  }
  const linesOf = (text: string) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);

  it("writes a line for each change and ends after the given number", async () => {
    const { store, ended, stdout } = await openPipe(undefined, 3);
    const { snapshot } = await store.change(id, completeTask({ task_id: "task-2-1" }));
    await store.create("other", { spec_id: "other", title: "Other \u009b31m\u202e" }, "pending");
    await expect.poll(() => (stdout as PassThrough).readableLength).toBeGreaterThan(400);
    await hold(store, "task-2-4", "agent-3");
    await ended;
    const text = String((stdout as PassThrough).read());
    expect(text).not.toMatch(/[\u009b\u202e]/);
    expect(linesOf(text)).toEqual([
      {
        spec_id: id,
        title: "A parser for the new format",
        status: "active",
        revision: snapshot.revision,
        progress: { completed: 3, total: 8, percentage: 37 },
        leases: [],
        changes: [{ verb: "completed", task_id: "task-2-1", title: "Write the scanner" }],
        changed_at: now(),
      },
      {
        spec_id: "other",
        title: "Other \u009b31m\u202e",
        status: "pending",
        revision: (await store.read("other")).revision,
        progress: { completed: 0, total: 0, percentage: 0 },
        leases: [],
        changed_at: now(),
      },
      {
        spec_id: id,
        title: "A parser for the new format",
        status: "active",
        revision: snapshot.revision,
        progress: { completed: 3, total: 8, percentage: 37 },
        leases: [{ task_id: "task-2-4", holder: "agent-3", until }],
        changed_at: now(),
      },
    ]);
  });

  it("reports problems of the watched spec only", async () => {
    const { store, ended, stdout } = await openPipe(id, 1);
    await store.create("other", { spec_id: "other" }, "pending");
    vi.spyOn(store, "read").mockRejectedValue(new Error("no JSON"));
    await hold(store, "task-2-4", "agent-3");
    await ended;
    expect(linesOf(String((stdout as PassThrough).read()))).toEqual([
      { spec_id: id, error: "no JSON", changed_at: now() },
    ]);
  });

  it("ends without an error when the signal fires or the reader is gone", async () => {
    const first = await openPipe();
    first.end();
    await first.ended;
    expect((first.stdout as PassThrough).read()).toBe(null);
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("EPIPE"), { code: "EPIPE" })),
    });
    const second = await openPipe(undefined, undefined, closed);
    await second.store.change(id, completeTask({ task_id: "task-2-1" }));
    await second.ended;
  });

  it("refuses an unknown spec", async () => {
    const store = createMemoryStore(now);
    const stdout = new PassThrough();
    const { signal } = new AbortController();
    const ended = runWatch({
      store,
      specId: "nothing",
      stdout,
      stdin: new PassThrough(),
      env: {},
      signal,
      now,
    });
    await expect(ended).rejects.toThrow("nothing");
    expect(stdout.read()).toBe(null);
  });
});
