import { type ChildProcess, spawn } from "node:child_process";
import { isRecord } from "@foundry-mcp/contract";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { LineReader } from "../wire/line-reader.ts";
import { LineWriter } from "../wire/line-writer.ts";
import { BrokenReplies } from "./broken-replies.ts";
import type { CommandTarget } from "./connect-target.ts";
import { liftTask } from "./lift-task.ts";

/** The maximum length of a line in bytes; a longer line ends the connection. */
const maxLineBytes = 64 * 2 ** 20;
/** How many times `maxUnreadBytes` may wait at most, however recently the server has read. */
const maxUnreadFactor = 8;
/** The time that a server has to exit after its stdin has ended, and again after SIGTERM. */
const graceMs = 1_000;
/** The time for which the output of a server is still read after its process has exited. */
const drainMs = 200;
const isPosix = process.platform !== "win32";

/**
 * A transport over the stdio of a child process. The class replaces the SDK's stdio transport, which copies a
 * partial message with every chunk, silently skips lines that are not messages, and leaves grandchildren
 * running.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * Called with lines that are not messages; `onerror` cannot be used, because the SDK overwrites it while it
   * connects.
   */
  onnoise?: ((error: NoMessage) => void) | undefined;
  /** True to end a request whose reply is no message; otherwise the request waits until its timeout. */
  endsBrokenReplies = false;
  /**
   * The number of bytes that may wait for a server that does not read its stdin. More end the connection: a server that
   * sends requests and never reads the answers would take all memory. A server that is only slow has read something in the
   * last `maxUnreadMs`, and may have eight times as many bytes waiting.
   */
  maxUnreadBytes = 32 * 2 ** 20;
  maxUnreadMs = 10_000;
  /** When the server read something last, or when bytes began to wait for it. */
  #readAt = 0;
  readonly #target: CommandTarget;
  readonly #lines = new LineReader(maxLineBytes);
  readonly #writer = new LineWriter((lines) => this.#write(lines));
  readonly #replies = new BrokenReplies();
  #child: ChildProcess | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(target: CommandTarget) {
    this.#target = target;
  }

  start(): Promise<void> {
    const { command, args = [], env, cwd, stderr = "inherit" } = this.#target;
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ["pipe", "pipe", typeof stderr === "function" ? "pipe" : stderr],
      // The child gets its own process group, which can be killed completely, because npx and shells start
      // the server as their own child.
      detached: isPosix,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    track(child);
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stdin?.on("error", (error) => this.onerror?.(error));
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    child.on("close", () => this.#finish());
    // Grandchildren may keep stdout open for ever and delay the event "close", so the connection also ends
    // soon after the child has exited.
    child.on("exit", () => setTimeout(() => this.#finish(), drainMs).unref());
    return new Promise((resolve, reject) => {
      child.on("spawn", resolve);
      child.on("error", (error) => {
        reject(error);
        this.onerror?.(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (this.#isClosed || !stdin?.writable) return Promise.reject(new Error("Not connected"));
    this.#replies.expect(message);
    return this.#writer.send(message);
  }

  #write(lines: string): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) return Promise.reject(new Error("Not connected"));
    if (stdin.writableLength === 0) this.#readAt = performance.now();
    if (this.#isUnread(stdin.writableLength)) {
      this.#finish();
      return Promise.reject(new Error("The server does not read its stdin"));
    }
    return new Promise((resolve, reject) => {
      stdin.write(lines, (error) => {
        this.#readAt = performance.now();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Returns true if so many bytes wait that the connection must end. */
  #isUnread(waiting: number): boolean {
    if (waiting <= this.maxUnreadBytes) return false;
    const isStuck = performance.now() - this.#readAt >= this.maxUnreadMs;
    return isStuck || waiting > maxUnreadFactor * this.maxUnreadBytes;
  }

  /**
   * Closes the transport. Every call waits until the child has exited, because a process that exits earlier could
   * leave the child running.
   */
  async close(): Promise<void> {
    const child = this.#child;
    if (child !== undefined) this.#closing ??= this.#close(child);
    await this.#closing;
  }

  async #close(child: ChildProcess): Promise<void> {
    this.#isClosed = true;
    const exited = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve();
      else child.once("exit", () => resolve());
    });
    this.#writer.flush();
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await settlesWithin(exited, graceMs)) break;
      killGroup(child, signal);
    }
    await settlesWithin(exited, graceMs);
    this.#finish();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#lines.read(chunk, { line: (line) => this.#take(line) });
    } catch (error) {
      this.onerror?.(error as Error);
      // After a line that is too long, the rest of the output cannot be parsed, so the connection ends before
      // the child exits.
      this.#finish();
    }
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      const value: unknown = JSON.parse(line);
      message = isResult(value) ? value : parseJSONRPCMessage(value);
    } catch {
      (this.onnoise ?? this.onerror)?.(new NoMessage(line));
      const failure = this.endsBrokenReplies ? this.#replies.toFailure(line) : undefined;
      if (failure !== undefined) this.onmessage?.(failure);
      return;
    }
    this.#replies.settle(message);
    this.onmessage?.(liftTask(message));
  }

  #finish(): void {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    this.#isClosed = true;
    killGroup(child, "SIGKILL");
    untrack(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    this.onclose?.();
  }
}

/**
 * True for the reply to a request in its usual form. The protocol layer validates the result itself, so validating the
 * message first would only take time.
 */
function isResult(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value)) return false;
  const { jsonrpc, id, result } = value;
  const isReply = jsonrpc === "2.0" && Number.isSafeInteger(id) && Object.keys(value).length === 3;
  return (
    isReply && isRecord(result) && !Object.hasOwn(result, "_meta") && !Object.hasOwn(result, "__proto__")
  );
}

/** The error of a line on a server's stdout that is not a message of the protocol. */
export class NoMessage extends Error {
  readonly line: string;

  constructor(line: string) {
    super("The server wrote a line that is not an MCP message");
    this.name = "NoMessage";
    this.line = line;
  }
}

/** The child processes that are still running; they must not outlive this process. */
const children = new Set<ChildProcess>();

function track(child: ChildProcess): void {
  if (children.size === 0) process.on("exit", killChildren);
  children.add(child);
}

function untrack(child: ChildProcess): void {
  children.delete(child);
  if (children.size === 0) process.off("exit", killChildren);
}

/**
 * Kills all child processes with SIGKILL, because this process is exiting and cannot wait for their shutdown.
 */
function killChildren(): void {
  for (const child of children) killGroup(child, "SIGKILL");
}

function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isPosix) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The error is ignored, because the child has already exited.
  }
}
