import { type ChildProcess, spawn } from "node:child_process";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { LineReader } from "../wire/line-reader.ts";
import type { CommandTarget } from "./connect-target.ts";

/** An answer of more bytes than this ends the connection. */
const longestLine = 64 * 2 ** 20;
/** How long a server may take to end after its input has, and again after it was asked to. */
const graceMs = 1_000;
/** How long to read what a server wrote before it ended. */
const lastWordsMs = 200;
const isPosix = process.platform !== "win32";

/**
 * A server as a child process, spoken to in lines. In place of the SDK's own transport, which copies all
 * that it has of a message with every chunk, passes over lines that are no message without a word, and
 * leaves behind what the child has started.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Told of lines that are no message, in place of `onerror`: while it connects, the SDK has that to itself. */
  onnoise?: ((error: NoMessage) => void) | undefined;
  readonly #target: CommandTarget;
  readonly #lines = new LineReader(longestLine);
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
      // A group of its own can be ended as a whole: npx and shells start the server as their child.
      detached: isPosix,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    keep(child);
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stdin?.on("error", (error) => this.onerror?.(error));
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    child.on("close", () => this.#end());
    // What the child has started may hold its output open for ever; a moment later nothing of its own comes.
    child.on("exit", () => setTimeout(() => this.#end(), lastWordsMs).unref());
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
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Everybody who closes waits until the child has ended: who leaves earlier leaves it behind. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child !== undefined) this.#closing ??= this.#close(child);
    await this.#closing;
  }

  async #close(child: ChildProcess): Promise<void> {
    this.#isClosed = true;
    const ended = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve();
      else child.once("exit", () => resolve());
    });
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await endsWithin(ended, graceMs)) break;
      endGroup(child, signal);
    }
    await endsWithin(ended, graceMs);
    this.#end();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#lines.read(chunk, (line) => this.#take(line));
    } catch (error) {
      this.onerror?.(error as Error);
      // Nothing that it still says can be understood, so nobody waits for it to end.
      this.#end();
    }
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      (this.onnoise ?? this.onerror)?.(new NoMessage(line));
      return;
    }
    this.onmessage?.(message);
  }

  #end(): void {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    this.#isClosed = true;
    endGroup(child, "SIGKILL");
    release(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    this.onclose?.();
  }
}

/** A line on a server's stdout that is no message of the protocol. */
export class NoMessage extends Error {
  readonly line: string;

  constructor(line: string) {
    super("The server wrote a line that is no message of the protocol");
    this.name = "NoMessage";
    this.line = line;
  }
}

/** Children that have not been seen to end: who leaves without closing them must not leave them behind. */
const kept = new Set<ChildProcess>();

function keep(child: ChildProcess): void {
  if (kept.size === 0) process.on("exit", endKept);
  kept.add(child);
}

function release(child: ChildProcess): void {
  kept.delete(child);
  if (kept.size === 0) process.off("exit", endKept);
}

/** Nothing waits any more when the process exits, so nobody is asked. */
function endKept(): void {
  for (const child of kept) endGroup(child, "SIGKILL");
}

function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void ended.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isPosix) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended by itself.
  }
}
