import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { currentProcess } from "../../durable/process-identity.ts";
import { type LockOwner, toLockText } from "../lock-owner.ts";

let made = 0;

/** The owner of a lock that this live process might have taken elsewhere. */
export async function createTestOwner(own: Partial<LockOwner> = {}): Promise<LockOwner> {
  const nonce = (++made).toString(16).padStart(16, "0");
  return { ...(await currentProcess()), nonce, since: "2026-01-02T03:04:05.678Z", ...own };
}

/** The owner of a lock whose process is dead. */
export async function createDeadOwner(own: Partial<LockOwner> = {}): Promise<LockOwner> {
  return createTestOwner({ pid: spawnSync("true").pid, ...own });
}

/** The text of such a lock. */
export async function toDeadLock(): Promise<{ readonly nonce: string; readonly text: string }> {
  const owner = await createDeadOwner();
  return { nonce: owner.nonce, text: toLockText(owner) };
}

/** A process that has ended and whose parent has not noticed. */
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
