import { type ChildProcess, spawn } from "node:child_process";
import { cancelled } from "@foundry-mcp/contract";
import { BoundedOutput } from "./bounded-output.ts";
import { startFailure } from "./start-failure.ts";

/** A program to run, and the limits of the run. */
export interface ProgramOptions {
  /** The program and its arguments. No shell interprets them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /**
   * The maximum number of bytes that the program may write. If it writes more, it is killed.
   * @default 64 MiB
   */
  readonly maxBytes?: number | undefined;
  /** The maximum number of bytes of output to keep. @default 8 MiB */
  readonly keptBytes?: number | undefined;
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Discard the output of the program on stderr. @default false */
  readonly discardErrors?: boolean | undefined;
  /** The signal that kills the program. The run then rejects with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a program. */
export interface ProgramRun {
  /** The exit code of the program; null if a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ended: "exit" | "signal" | "timeout" | "flood";
  /**
   * The output on stdout and stderr in the order of arrival; stderr is left out if it is discarded. Only the
   * beginning and the end of a long output are kept.
   */
  readonly output: Uint8Array;
  /** The number of bytes that the program has written. */
  readonly bytes: number;
  /** The hash of the whole output: `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  readonly durationMs: number;
}

/** The time between SIGTERM and SIGKILL in milliseconds. */
const graceMs = 2_000;
/** The time in milliseconds for reading buffered output after the program has exited. */
const drainMs = 200;

/**
 * Runs a program without a shell and with an empty stdin. The run always ends. After the deadline or the
 * maximum number of bytes, the process group gets SIGTERM and then SIGKILL. If a process keeps the output
 * open after the program has exited, the run does not wait for this process.
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
      // A separate process group can be killed together with all children of the program.
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
  /** The reason why the program was killed; undefined if it was not killed. */
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
      // A read error only means that the output ends at this point.
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

  /** Sends SIGTERM, and sends SIGKILL after the grace period. */
  #end(reason: "timeout" | "flood" | "cancelled"): void {
    if (this.#killReason !== undefined || this.#settle === undefined) return;
    const { exitCode, signalCode } = this.#child;
    // A program that exited before its deadline has not timed out, even if its output is still being read.
    if (reason === "timeout" && (exitCode !== null || signalCode !== null)) return;
    this.#killReason = reason;
    signalGroup(this.#child, "SIGTERM");
    // After the maximum number of bytes, the remaining output is not read.
    if (reason === "flood") this.#closeStreams();
    this.#after(graceMs, () => {
      signalGroup(this.#child, "SIGKILL");
      // If a process does not end even after SIGKILL, the run ends without waiting for it.
      this.#after(graceMs, () => this.#finish());
    });
  }

  /**
   * Kills the processes that the program has started, because a child may keep the output open without end.
   */
  #drain(): void {
    this.#after(drainMs, () => {
      signalGroup(this.#child, "SIGKILL");
      // Only a process outside the process group can still keep the output open. The pipe is read until the
      // run ends.
      this.#after(drainMs, () => this.#finish());
    });
  }

  #finish(settle = this.#settle): void {
    if (this.#settle === undefined) return;
    this.#settle = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal?.removeEventListener("abort", this.#cancel);
    // A child that writes no output may still run in the process group.
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

/** Process groups exist only on POSIX. On Windows, only the program itself is killed. */
const hasGroups = process.platform !== "win32";

/** Sends a signal to a program and its process group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The process has already exited.
  }
}

/** The running programs, which are killed when this process exits. */
const running = new Set<ChildProcess>();

/** Kills a program when this process exits. */
function killOnExit(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(child);
}

/** Removes a program that has exited from the running programs. */
function release(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.off("exit", killAll);
}

/** Sends SIGKILL immediately, because an exiting process cannot wait for the grace period. */
function killAll(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/** The environment variables that the program gets. All other variables may contain secrets of the server. */
const inheritedVariables = ["PATH", "HOME", "LANG", "TMPDIR"];
/** The environment variables that every program needs to start on Windows. */
const inheritedOnWindows = ["SystemRoot", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "ComSpec"];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a program. The environment contains a few variables of this process, and `CI`,
 * which disables prompts and animations.
 */
export function toEnvironment(own: Variables, platform: string = process.platform): Record<string, string> {
  const wanted = platform === "win32" ? [...inheritedVariables, ...inheritedOnWindows] : inheritedVariables;
  const entries = wanted.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(entries), CI: "1" };
}
