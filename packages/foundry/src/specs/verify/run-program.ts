import { type ChildProcess, spawn } from "node:child_process";
import { cancelled } from "@foundry-mcp/contract";
import { KeptOutput } from "./bounded-output.ts";
import { startFailure } from "./start-failure.ts";

/** The program to run, and its bounds. */
export interface ProgramOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The program is ended once it has written so many bytes. @default 64 MiB */
  readonly maxBytes?: number | undefined;
  /** So many of them are kept. @default 8 MiB */
  readonly keptBytes?: number | undefined;
  /** All that the program gets of variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the program; the run then rejects with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
}

/** What came of a program. */
export interface ProgramRun {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ended: "exit" | "signal" | "timeout" | "flood";
  /** stdout and stderr in the order in which they came; of too much the beginning and the end. */
  readonly output: Uint8Array;
  /** How many bytes came. */
  readonly bytes: number;
  /** Over everything that came: `sha256:` and 64 hex digits. */
  readonly hash: string;
  readonly durationMs: number;
}

/** How long a program may take to end after it was asked to. */
const graceMs = 2_000;
/** How long to read what was written before the program ended. */
const lastWordsMs = 200;

/**
 * Runs a program to its end, without a shell and with nothing to read. Whatever it does, the run ends: at the
 * deadline and past the most bytes the program is asked to end and then made to, with everything that it
 * started, and what holds its output open after it is not waited for.
 */
export function runProgram(options: ProgramOptions): Promise<ProgramRun> {
  const { argv, cwd, env, signal } = options;
  const [program = "", ...args] = argv;
  if (signal?.aborted) return Promise.reject(cancelled());
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own can be ended as a whole, with all that the program starts.
      detached: hasGroups,
      windowsHide: true,
    });
  } catch (error) {
    return Promise.reject(startFailure(program, error));
  }
  return new Run(child, options).result;
}

/** One program on its way. */
class Run {
  readonly result: Promise<ProgramRun>;
  readonly #child: ChildProcess;
  readonly #options: ProgramOptions;
  readonly #output: KeptOutput;
  readonly #started = performance.now();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #cancel = () => this.#end("cancelled");
  /** Why it was ended, where it did not end by itself. */
  #why: "timeout" | "flood" | "cancelled" | undefined;
  #settle: (() => void) | undefined;

  constructor(child: ChildProcess, options: ProgramOptions) {
    const { argv, timeoutMs, keptBytes = 8 * 2 ** 20, signal } = options;
    this.#child = child;
    this.#options = options;
    this.#output = new KeptOutput(keptBytes);
    this.result = new Promise((resolve, reject) => {
      this.#settle = () => (this.#why === "cancelled" ? reject(cancelled()) : resolve(this.#toResult()));
      child.once("error", (error) => {
        if (child.pid === undefined) this.#finish(() => reject(startFailure(argv[0] ?? "", error)));
      });
    });
    if (child.pid === undefined) return;
    keep(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => this.#read(chunk));
      // Nobody could be told more than that the output ends here.
      stream?.on("error", () => {});
    }
    child.once("close", () => this.#finish());
    child.once("exit", () => this.#awaitLastWords());
    this.#after(timeoutMs, () => this.#end("timeout"));
    signal?.addEventListener("abort", this.#cancel, { once: true });
  }

  #read(chunk: Buffer): void {
    const { maxBytes = 64 * 2 ** 20 } = this.#options;
    const room = maxBytes - this.#output.bytes;
    if (room > 0) this.#output.take(chunk.subarray(0, room));
    if (chunk.length > room) this.#end("flood");
  }

  /** Asks, and then does not ask any more. */
  #end(why: "timeout" | "flood" | "cancelled"): void {
    if (this.#why !== undefined || this.#settle === undefined) return;
    const { exitCode, signalCode } = this.#child;
    // What has ended in time is not late for what it left to read.
    if (why === "timeout" && (exitCode !== null || signalCode !== null)) return;
    this.#why = why;
    endGroup(this.#child, "SIGTERM");
    // A flood need not be read until it ends.
    if (why === "flood") this.#closeStreams();
    this.#after(graceMs, () => {
      endGroup(this.#child, "SIGKILL");
      // A process that the system itself cannot end is left to it.
      this.#after(graceMs, () => this.#finish());
    });
  }

  /** What the program has started may hold its output open for ever: it ends with the program. */
  #awaitLastWords(): void {
    this.#after(lastWordsMs, () => {
      endGroup(this.#child, "SIGKILL");
      // Only what left the group can still hold the output; what is in the pipe is read meanwhile.
      this.#after(lastWordsMs, () => this.#finish());
    });
  }

  #finish(settle = this.#settle): void {
    if (this.#settle === undefined) return;
    this.#settle = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal?.removeEventListener("abort", this.#cancel);
    // What ran on in silence is in the group still.
    endGroup(this.#child, "SIGKILL");
    release(this.#child);
    this.#closeStreams();
    settle?.();
  }

  #closeStreams(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }

  #toResult(): ProgramRun {
    const { exitCode, signalCode } = this.#child;
    const why = this.#why === "cancelled" ? undefined : this.#why;
    return {
      exitCode,
      signal: signalCode,
      ended: why ?? (signalCode === null ? "exit" : "signal"),
      output: this.#output.toBytes(),
      bytes: this.#output.bytes,
      hash: this.#output.toHash(),
      durationMs: Math.round(performance.now() - this.#started),
    };
  }
}

/** Groups of processes are of POSIX; on Windows the program alone is ended, and what it started is left. */
export const hasGroups = process.platform !== "win32";

/** Sends a signal to a program and to everything that it started and that did not leave its group. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended by itself.
  }
}

/** Programs that have not been seen to end: when this process exits, they must not stay behind. */
const kept = new Set<ChildProcess>();

/** Has a program end with this process at the latest. */
export function keep(child: ChildProcess): void {
  if (kept.size === 0) process.on("exit", endKept);
  kept.add(child);
}

/** Forgets a program that has ended. */
export function release(child: ChildProcess): void {
  kept.delete(child);
  if (kept.size === 0) process.off("exit", endKept);
}

/** Nothing waits any more when the process exits, so nobody is asked. */
function endKept(): void {
  for (const child of kept) endGroup(child, "SIGKILL");
}

/** What programs need to find their way. Everything else stays here: among it are the secrets of the server. */
const names = ["PATH", "HOME", "LANG", "TMPDIR"];
/** Without these no program starts on Windows. */
const windowsNames = ["SystemRoot", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "ComSpec"];

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that a program gets: a few of ours, and `CI`, so that it asks nobody and repaints nothing. */
export function toEnvironment(own: Variables, platform: string = process.platform): Record<string, string> {
  const wanted = platform === "win32" ? [...names, ...windowsNames] : names;
  const held = wanted.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(held), CI: "1" };
}
