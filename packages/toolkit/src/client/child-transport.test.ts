import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ChildTransport, NoMessage } from "./child-transport.ts";
import type { CommandTarget } from "./connect-target.ts";

const path = fileURLToPath(new URL("./fixtures/rough.mjs", import.meta.url));
const open: ChildTransport[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Starts a child process with these arguments, and records what its transport reports. */
async function start(args: readonly string[], more: Partial<CommandTarget> = {}) {
  const transport = new ChildTransport({
    command: process.execPath,
    args: [path, ...args],
    stderr: "ignore",
    ...more,
  });
  open.push(transport);
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  let closed = 0;
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error);
  transport.onclose = () => {
    closed++;
  };
  await transport.start();
  const until = (done: () => boolean) => vi.waitUntil(done, { timeout: 30_000, interval: 5 });
  return {
    transport,
    messages,
    errors,
    closed: () => closed,
    hear: (count: number) => until(() => messages.length >= count),
    end: () => until(() => closed > 0),
  };
}

const said = (params: object) => ({ jsonrpc: "2.0", method: "said", params });
const pidOf = ([first]: readonly unknown[]) => (first as { params: { pid: number } }).params.pid;
const lives = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a child transport", () => {
  it("exchanges messages as lines", async () => {
    const { transport, messages, hear, closed } = await start(["echo"]);
    const sent = [said({ text: "line\nbreak é" }), said({ count: 2 })] as JSONRPCMessage[];
    for (const message of sent) await transport.send(message);
    await hear(2);
    expect(messages).toEqual(sent);
    await transport.close();
    await transport.close();
    expect(closed()).toBe(1);
    await expect(transport.send(sent[0]!)).rejects.toThrow("Not connected");
  });

  it("gives the child only the given variables and folder", async () => {
    vi.stubEnv("NOT_GIVEN", "ours");
    const { messages, hear } = await start(["tells"], { env: { GIVEN: "theirs" }, cwd: tmpdir() });
    await hear(1);
    expect(messages).toEqual([said({ env: "theirs", cwd: expect.any(String) })]);
  });

  it("reports each line that is not a message, and continues", async () => {
    const { messages, errors, hear } = await start(["noise"]);
    await hear(2);
    expect(messages).toEqual([said({ count: 1 }), said({ count: 2 })]);
    expect(errors.every((error) => error instanceof NoMessage && error.name === "NoMessage")).toBe(true);
    expect(errors.map((error) => (error as NoMessage).line)).toEqual(["no message", "", '{"jsonrpc":"2.0"}']);
  });

  it("reads everything that the child wrote before it exited", async () => {
    let stderr = "";
    const listen = (text: string) => {
      stderr += text;
    };
    const { messages, end, transport, closed } = await start(["exits"], { stderr: listen });
    await end();
    expect([messages, stderr, closed()]).toEqual([[said({ last: "words" })], "last words\n", 1]);
    await expect(transport.send(messages[0]!)).rejects.toThrow("Not connected");
  });

  it("fails to start a missing command", async () => {
    const transport = new ChildTransport({ command: "no-such-program-anywhere" });
    await expect(transport.start()).rejects.toMatchObject({ code: "ENOENT" });
    await transport.close();
  });

  it("kills a child that writes a line without end", async () => {
    const { errors, end, messages } = await start(["long-line"]);
    await end();
    expect([errors.map(({ message }) => message), messages]).toEqual([
      ["A line is longer than 67,108,864 bytes"],
      [],
    ]);
  });

  it("kills a child that ignores the end of its input", async () => {
    const { messages, hear, transport, closed } = await start(["stubborn"]);
    await hear(1);
    // The first close is not awaited, as in the SDK.
    void transport.close();
    await transport.close();
    expect([lives(pidOf(messages)), closed()]).toEqual([false, 1]);
  });
});

describe.skipIf(process.platform === "win32")("grandchildren", () => {
  it.each([
    ["with the server", ["parent"]],
    ["after it", ["parent", "exits"]],
  ])("are killed: %s", async (_title, args) => {
    const { messages, hear, end, transport } = await start(args);
    await hear(1);
    const pid = pidOf(messages);
    if (args.includes("exits")) await end();
    else await transport.close();
    await vi.waitUntil(() => !lives(pid), { timeout: 30_000, interval: 5 });
  });

  it("are killed when this process exits without closing", async () => {
    const before = process.listeners("exit");
    const { messages, hear, transport } = await start(["parent"]);
    await hear(1);
    const { transport: second } = await start(["echo"]);
    const added = process.listeners("exit").filter((listener) => !before.includes(listener));
    expect(added).toHaveLength(1);
    // Run the listeners that the process would call at its exit.
    for (const onExit of added) onExit.call(process, 130);
    const pid = pidOf(messages);
    await vi.waitUntil(() => !lives(pid), { timeout: 30_000, interval: 5 });
    await Promise.all([transport.close(), second.close()]);
    expect(process.listeners("exit")).toEqual(before);
  });
});

describe("a server that does not read its stdin", () => {
  const deaf = { args: ["-e", "setInterval(() => {}, 60_000)"] };
  const message = { jsonrpc: "2.0", method: "big", params: { text: "x".repeat(1_500_000) } } as const;

  it("loses its connection when too much waits for it", async () => {
    const { transport, closed } = await start([], deaf);
    transport.maxUnreadBytes = 1_000_000;
    transport.maxUnreadMs = 0;
    const first = transport.send(message).catch(() => {});
    await new Promise((resolve) => process.nextTick(resolve));
    expect(closed()).toBe(0);
    await expect(transport.send(message)).rejects.toThrow("The server does not read its stdin");
    expect(closed()).toBe(1);
    await first;
  });

  it("may be slow, until eight times as much waits for it", async () => {
    const { transport, closed } = await start([], deaf);
    transport.maxUnreadBytes = 1_000_000;
    const sent: Promise<void>[] = [];
    // After the sixth message, more than 8 MB wait.
    for (let count = 0; count < 6; count += 1) {
      sent.push(transport.send(message).catch(() => {}));
      await new Promise((resolve) => process.nextTick(resolve));
    }
    expect(closed()).toBe(0);
    await expect(transport.send(message)).rejects.toThrow("The server does not read its stdin");
    expect(closed()).toBe(1);
    await Promise.all(sent);
  });
});
