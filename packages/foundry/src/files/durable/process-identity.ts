import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/**
 * Identifies a process across machines, containers and reboots. Fields that the system does not provide are empty.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time, which distinguishes a process from a later process with the same pid. */
  readonly startTime: string;
  /** The boot id, which changes with every boot of the machine. */
  readonly bootId: string;
  /**
   * The pid and time namespaces. Pids and start times are comparable only within the same namespaces. Every container
   * has its own namespaces.
   */
  readonly namespace: string;
  readonly host: string;
}

let identity: Promise<ProcessIdentity> | undefined;

/** The identity of this process. */
export function currentProcess(): Promise<ProcessIdentity> {
  identity ??= readIdentity();
  return identity;
}

async function readIdentity(): Promise<ProcessIdentity> {
  const orEmpty = (text: Promise<string>) => text.catch(() => "");
  const [self, bootId, pids, times] = await Promise.all([
    readProcessState(process.pid),
    orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(readlink("/proc/self/ns/pid")),
    // Start times are relative to the time namespace.
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

/** True if a process with this pid exists, regardless of its owner. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** The state of a process. */
export interface ProcessState {
  /** True for a zombie, which has ended but was not reaped by its parent. */
  readonly isEnded: boolean;
  /** The start time, which is empty if the system does not provide it. */
  readonly startTime: string;
}

const unknownState: ProcessState = { isEnded: false, startTime: "" };

/** Reads the state of a process on this machine. */
export function readProcessState(pid: number): Promise<ProcessState> {
  if (process.platform === "linux") return fromProc(pid);
  return process.platform === "win32" ? Promise.resolve(unknownState) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessState> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The program name in brackets may itself contain brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    // The main thread of a killed process may be gone while another thread is still executing a rename.
    const isEnded = isDead && (await readdir(`/proc/${pid}/task`)).length <= 1;
    return { isEnded, startTime: fields[19] ?? "" };
  } catch {
    return unknownState;
  }
}

const psMaxAgeMs = 1_000;
let lastPs: { readonly pid: number; readonly at: number; readonly state: ProcessState } | undefined;

/**
 * Runs `ps`, because there is no cheaper way. The last result is cached, because processes that wait for a lock poll
 * many times a second.
 */
async function fromPs(pid: number): Promise<ProcessState> {
  const now = performance.now();
  if (lastPs?.pid === pid && now - lastPs.at < psMaxAgeMs) return lastPs.state;
  const state = await runPs(pid);
  lastPs = { pid, at: now, state };
  return state;
}

async function runPs(pid: number): Promise<ProcessState> {
  try {
    // The module is imported on demand. The import takes more time than the rest of a lock, and Linux never needs the
    // module.
    const { execFile } = await import("node:child_process");
    const run = promisify(execFile);
    // The locale and time zone are fixed, so that all processes read the same start time.
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await run("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], {
      env,
      timeout: 5_000,
    });
    const [stat = "", ...startTime] = stdout.trim().split(/\s+/);
    return { isEnded: stat.startsWith("Z"), startTime: startTime.join(" ") };
  } catch {
    return unknownState;
  }
}
