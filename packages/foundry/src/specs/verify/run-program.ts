import { type ChildProcess, spawn } from "node:child_process";
import { cancelled } from "@foundry-mcp/contract";
import { BoundedOutput } from "./bounded-output.ts";
import { startFailure } from "./start-failure.ts";

/** A program to run and its limits. */
export interface ProgramOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The program is killed once it has written more bytes. @default 64 MiB */
  readonly maxBytes?: number | undefined;
  /** How many bytes of output are running. @default 8 MiB */
  readonly keptBytes?: number | undefined;
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Discard what the program writes to stderr. @default false */
  readonly discardErrors?: boolean | undefined;
  /** Kills the program; the run then rejects with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a program. */
export interface ProgramRun {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ended: "exit" | "signal" | "timeout" | "flood";
  /** stdout, and stderr unless it is discarded, in order of arrival; of a long output only the beginning and the end. */
  readonly output: Uint8Array;
  /** The number of bytes written. */
  readonly bytes: number;
  /** The hash of the whole output: `sha256:` and 64 hex digits. */
  readonly hash: string;
  readonly durationMs: number;
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** Time to read buffered output after the program has exited. */
const drainMs = 200;

/**
 * Runs a program without a shell and with an empty stdin. The run always ends: past the deadline or the maximum of
 * bytes the process group gets SIGTERM and then SIGKILL, and a process that keeps the output open after the program
 * has exited is not waited for.
 */
export function runProgram(options: ProgramOptions): Promise<ProgramRun> {
  const { argv, cwd, env, signal, discardErrors = false } = options;
  const [program = "", ...args] = argv;
  if (signal?.aborted) return Promise.reject(cancelled());
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", discardErrors ? "ignore" : "pipe"],
      // Its own process group can be killed as a whole, with all children of the program.
      detached: hasGroups,
      windowsHide: true,
    });
  } catch (error) {
    return Promise.reject(startFailure(program, error));
  }
  return new Run(child, options).result;
}

/** A running program. */
class Run {
  readonly result: Promise<ProgramRun>;
  readonly #child: ChildProcess;
  readonly #options: ProgramOptions;
  readonly #output: BoundedOutput;
  readonly #started = performance.now();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #cancel = () => this.#end("cancelled");
  /** Why it was killed; undefined if it was not. */
  #killReason: "timeout" | "flood" | "cancelled" | undefined;
  #settle: (() => void) | undefined;

  constructor(child: ChildProcess, options: ProgramOptions) {
    const { argv, timeoutMs, keptBytes = 8 * 2 ** 20, signal } = options;
    this.#child = child;
    this.#options = options;
    this.#output = new BoundedOutput(keptBytes);
    this.result = new Promise((resolve, reject) => {
      this.#settle = () =>
        this.#killReason === "cancelled" ? reject(cancelled()) : resolve(this.#toResult());
      child.once("error", (error) => {
        if (child.pid === undefined) this.#finish(() => reject(startFailure(argv[0] ?? "", error)));
      });
    });
    if (child.pid === undefined) return;
    killOnExit(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => this.#read(chunk));
      // A read error only means that the output ends here.
      stream?.on("error", () => {});
    }
    child.once("close", () => this.#finish());
    child.once("exit", () => this.#drain());
    this.#after(timeoutMs, () => this.#end("timeout"));
    signal?.addEventListener("abort", this.#cancel, { once: true });
  }

  #read(chunk: Buffer): void {
    const { maxBytes = 64 * 2 ** 20 } = this.#options;
    const room = maxBytes - this.#output.bytes;
    if (room > 0) this.#output.take(chunk.subarray(0, room));
    if (chunk.length > room) this.#end("flood");
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  #end(reason: "timeout" | "flood" | "cancelled"): void {
    if (this.#killReason !== undefined || this.#settle === undefined) return;
    const { exitCode, signalCode } = this.#child;
    // A program that exited in time has not timed out while its output is being read.
    if (reason === "timeout" && (exitCode !== null || signalCode !== null)) return;
    this.#killReason = reason;
    signalGroup(this.#child, "SIGTERM");
    // The rest of a flood is not read.
    if (reason === "flood") this.#closeStreams();
    this.#after(graceMs, () => {
      signalGroup(this.#child, "SIGKILL");
      // A process that even SIGKILL cannot end is abandoned.
      this.#after(graceMs, () => this.#finish());
    });
  }

  /** Kills what the program has started, because a child may keep the output open for ever. */
  #drain(): void {
    this.#after(drainMs, () => {
      signalGroup(this.#child, "SIGKILL");
      // Only a process outside the group can still hold the output open; the pipe is drained meanwhile.
      this.#after(drainMs, () => this.#finish());
    });
  }

  #finish(settle = this.#settle): void {
    if (this.#settle === undefined) return;
    this.#settle = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal?.removeEventListener("abort", this.#cancel);
    // A child without output may still run in the group.
    signalGroup(this.#child, "SIGKILL");
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
    const reason = this.#killReason === "cancelled" ? undefined : this.#killReason;
    return {
      exitCode,
      signal: signalCode,
      ended: reason ?? (signalCode === null ? "exit" : "signal"),
      output: this.#output.toBytes(),
      bytes: this.#output.bytes,
      hash: this.#output.toHash(),
      durationMs: Math.round(performance.now() - this.#started),
    };
  }
}

/** Process groups exist on POSIX only; on Windows only the program itself is killed. */
const hasGroups = process.platform !== "win32";

/** Sends a signal to a program and its process group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has exited already.
  }
}

/** Running programs; they are killed when this process exits. */
const running = new Set<ChildProcess>();

/** Kills a program when this process exits. */
function killOnExit(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(child);
}

/** Forgets a program that has exited. */
function release(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.off("exit", killAll);
}

/** SIGKILL at once: nothing can wait for a grace period when the process exits. */
function killAll(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/** Environment variables that are passed on; the others may hold secrets of the server. */
const inheritedVariables = ["PATH", "HOME", "LANG", "TMPDIR"];
/** Variables without which no program starts on Windows. */
const inheritedOnWindows = ["SystemRoot", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "ComSpec"];

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the environment of a program: a few of our variables, and `CI`, which turns prompts and animations off. */
export function toEnvironment(own: Variables, platform: string = process.platform): Record<string, string> {
  const wanted = platform === "win32" ? [...inheritedVariables, ...inheritedOnWindows] : inheritedVariables;
  const entries = wanted.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(entries), CI: "1" };
}
