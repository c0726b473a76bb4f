import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { currentProcess } from "../../durable/process-identity.ts";
import { type LockOwner, toLockText } from "../lock-owner.ts";

let created = 0;

/** Creates a lock owner that is this live process. */
export async function createTestOwner(own: Partial<LockOwner> = {}): Promise<LockOwner> {
  const nonce = (++created).toString(16).padStart(16, "0");
  return { ...(await currentProcess()), nonce, since: "2026-01-02T03:04:05.678Z", ...own };
}

/** Creates a lock owner whose process is dead. */
export async function createDeadOwner(own: Partial<LockOwner> = {}): Promise<LockOwner> {
  return createTestOwner({ pid: spawnSync("true").pid, ...own });
}

/** Returns the content of a lock file whose owner is dead. */
export async function toDeadLock(): Promise<{ readonly nonce: string; readonly text: string }> {
  const owner = await createDeadOwner();
  return { nonce: owner.nonce, text: toLockText(owner) };
}

/** Starts a process that ends without being reaped. */
export async function startZombie(): Promise<{ readonly pid: number; end(): Promise<void> }> {
  const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  return {
    pid: Number(line.toString()),
    async end() {
      const exited = once(parent, "exit");
      parent.kill("SIGKILL");
      await exited;
    },
  };
}
