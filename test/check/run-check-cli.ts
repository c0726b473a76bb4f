import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import type { CheckReport } from "foundry-mcp/check";
import { expect } from "vitest";
import { foundryCli } from "../bins.ts";

const cli = foundryCli;

/** Options of running the program. */
export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The standard input of the program. */
  readonly input?: string | Uint8Array;
  /** The time after which the program is ended and the test fails. */
  readonly limitMs?: number;
  /** True to run the program in a pseudo-terminal. The output of both streams is then returned as stdout. */
  readonly terminal?: boolean;
}

/** The result of a run as a shell sees it. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The maximum memory of the program in megabytes. Undefined if the system does not report it. */
  readonly peakMegabytes: number | undefined;
  readonly ms: number;
}

/** Runs `foundry-cli` in the same way as a person at a shell. */
export async function runFoundryCli(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, cwd, input = "", limitMs = 60_000, terminal = false } = options;
  const started = performance.now();
  const [program = "", ...args] = terminal
    ? [
        "script",
        "-qec",
        `stty cols 100 rows 40; exec ${[process.execPath, cli, ...argv].map(toShellWord).join(" ")}`,
        "/dev/null",
      ]
    : [process.execPath, cli, ...argv];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program, args, {
    env: { PATH, HOME, ...(terminal ? { TERM: "xterm" } : {}), ...env },
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // The program may end before it has read its whole input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  let peak: number | undefined;
  const watch = setInterval(() => {
    peak = readPeak(child.pid) ?? peak;
  }, 50);
  const limit = setTimeout(() => process.kill(-(child.pid ?? Number.NaN), "SIGKILL"), limitMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => {
    clearInterval(watch);
    clearTimeout(limit);
  });
  return {
    code,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    peakMegabytes: peak,
    ms: performance.now() - started,
  };
}

/**
 * Returns the only envelope on stdout, and checks that the envelope conforms to the contract. `failed` is the exit
 * code of a failure.
 */
export function envelopeOf({ stdout, stderr, code }: CliResult, failed = 1): Envelope {
  expect({ lines: stdout.split("\n").length, stderr }, stdout.slice(0, 500)).toEqual({
    lines: 2,
    stderr: "",
  });
  const envelope = JSON.parse(stdout) as Envelope;
  expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  expect(code).toBe(envelope.success ? 0 : failed);
  return envelope;
}

/** Returns the report in an answer, regardless of its verdict. */
export function reportOf(result: CliResult): CheckReport {
  const { data } = envelopeOf(result);
  expect(data).toHaveProperty("verdict");
  return data as unknown as CheckReport;
}

/** Returns the ids of processes whose command line contains a text. */
export function findProcesses(marker: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => readQuietly(`/proc/${id}/cmdline`).includes(marker))
    .map(Number);
}

function readPeak(pid: number | undefined): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readQuietly(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function toShellWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
