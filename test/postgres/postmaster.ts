import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { childrenOf, whenGone } from "./processes.ts";
import { serverEnvironment, serverUser } from "./server-user.ts";

/** The maximum time of a start. It is long enough to recover from a crash on a busy machine. */
const startLimit = 60_000;

/** One run of `postgres` on a data folder, from its start to its end. */
export class Postmaster {
  readonly #data: string;
  readonly #child: ChildProcess;
  /** Settles when the process has ended, for any reason. */
  readonly exited: Promise<unknown>;

  private constructor(data: string, child: ChildProcess) {
    this.#data = data;
    this.#child = child;
    // If the program cannot be started, `spawn` reports the error.
    this.exited = once(child, "exit").catch(() => undefined);
  }

  /** Starts `postgres` in `folder` and waits until it accepts connections. */
  static async start(bin: string, folder: string, settings: readonly string[]): Promise<Postmaster> {
    const data = join(folder, "data");
    const log = await open(join(folder, "log"), "a");
    const options = settings.flatMap((setting) => ["-c", setting]);
    const child = spawn(join(bin, "postgres"), ["-D", data, ...options], {
      ...serverUser,
      cwd: folder,
      env: serverEnvironment(folder),
      stdio: ["ignore", log.fd, log.fd],
      // The process is detached, so that Ctrl-C on the tests does not reach it. The cleanup ends the process.
      detached: true,
    });
    const postmaster = new Postmaster(data, child);
    try {
      await once(child, "spawn");
      await postmaster.#whenReady();
    } catch (error) {
      child.kill("SIGKILL");
      const tail = (await readFile(join(folder, "log"), "utf8")).slice(-2_000);
      throw new Error(`PostgreSQL of ${bin} did not start: ${(error as Error).message}\n${tail}`);
    } finally {
      await log.close();
    }
    child.unref();
    return postmaster;
  }

  /** Shuts down cleanly. Connections finish their statement, and all data is kept. */
  async stop(): Promise<void> {
    this.#child.ref();
    this.#child.kill("SIGINT");
    await this.exited;
  }

  /** Kills all of its processes without a notification, like a power loss. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    // The postmaster is suspended first, because otherwise it could start a backend between listing the processes and
    // killing them.
    process.kill(pid, "SIGSTOP");
    const pids = [...(await childrenOf(pid)), pid];
    const [, , , , , , memory = ""] = await this.#readPidFile();
    for (const each of pids) {
      try {
        process.kill(each, "SIGKILL");
      } catch {
        // The process has already ended.
      }
    }
    await this.exited;
    await whenGone(pids);
    // Only a start on the same data would release the shared memory segment of a killed server, and such a start may
    // never happen.
    const segment = memory.trim().split(/\s+/)[1];
    if (segment) await promisify(execFile)("ipcrm", ["-m", segment]).catch(() => undefined);
    // The pid file is removed, because another process may get the same pid later, and the cleanup ends the process
    // with the pid in this file.
    await rm(join(this.#data, "postmaster.pid"), { force: true });
  }

  async #whenReady(): Promise<void> {
    const until = Date.now() + startLimit;
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`it ended with ${this.#child.exitCode}`);
      if (this.#child.signalCode !== null) throw new Error(`it was ended by ${this.#child.signalCode}`);
      const [pid, , , , , , , state] = await this.#readPidFile();
      if (pid === String(this.#child.pid) && state?.trim() === "ready") return;
      if (Date.now() > until) throw new Error(`it was not ready after ${startLimit / 1_000} s`);
      // This file is the only source for the state of a postmaster.
      await delay(5);
    }
  }

  async #readPidFile(): Promise<readonly string[]> {
    const text = await readFile(join(this.#data, "postmaster.pid"), "utf8").catch(() => "");
    return text.split("\n");
  }
}
