import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** A process among all that may ever see its files; what the system does not tell is empty. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Tells a process from a later one that got its number. */
  readonly startTime: string;
  /** Another one after every start of the machine. */
  readonly bootId: string;
  /** Within it numbers and start times mean the same; every container has its own. */
  readonly namespace: string;
  readonly host: string;
}

let known: Promise<ProcessIdentity> | undefined;

/** Who this process is. */
export function currentProcess(): Promise<ProcessIdentity> {
  known ??= findOut();
  return known;
}

async function findOut(): Promise<ProcessIdentity> {
  const orEmpty = (text: Promise<string>) => text.catch(() => "");
  const [self, bootId, pids, times] = await Promise.all([
    readProcessState(process.pid),
    orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(readlink("/proc/self/ns/pid")),
    // Start times are counted from another moment in another one.
    orEmpty(readlink("/proc/self/ns/time")),
  ]);
  return {
    pid: process.pid,
    startTime: self.startTime,
    bootId: bootId.trim(),
    namespace: `${pids} ${times}`.trim(),
    host: hostname(),
  };
}

/** False once no process has this number; true also for one that belongs to someone else. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** What the system tells of a process that has a number. */
export interface ProcessState {
  /** Dead, and only waiting for its parent to notice. */
  readonly isEnded: boolean;
  /** Empty where the system does not tell. */
  readonly startTime: string;
}

const untold: ProcessState = { isEnded: false, startTime: "" };

/** Looks up a process of this machine by its number. */
export function readProcessState(pid: number): Promise<ProcessState> {
  if (process.platform === "linux") return fromProc(pid);
  return process.platform === "win32" ? Promise.resolve(untold) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessState> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything, brackets and spaces too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    // The first thread of a killed process may be gone while another is still within a rename.
    const isEnded = isDead && (await readdir(`/proc/${pid}/task`)).length <= 1;
    return { isEnded, startTime: fields[19] ?? "" };
  } catch {
    return untold;
  }
}

const psMaxAgeMs = 1_000;
let lastPs: { readonly pid: number; readonly at: number; readonly state: ProcessState } | undefined;

/** Asks `ps`, as there is no cheaper way; who waits asks many times a second and gets the last answer. */
async function fromPs(pid: number): Promise<ProcessState> {
  const now = performance.now();
  if (lastPs?.pid === pid && now - lastPs.at < psMaxAgeMs) return lastPs.state;
  const state = await askPs(pid);
  lastPs = { pid, at: now, state };
  return state;
}

async function askPs(pid: number): Promise<ProcessState> {
  try {
    // Loading it takes a command longer than all the rest of its lock, and Linux never asks.
    const { execFile } = await import("node:child_process");
    const run = promisify(execFile);
    // The same words for the same moment, whatever the language and place of the one who asks.
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await run("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], {
      env,
      timeout: 5_000,
    });
    const [stat = "", ...startTime] = stdout.trim().split(/\s+/);
    return { isEnded: stat.startsWith("Z"), startTime: startTime.join(" ") };
  } catch {
    return untold;
  }
}
