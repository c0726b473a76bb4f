import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cacheHome, foundryCli } from "../../test/bins.ts";
import type { StorePlace } from "./warm-store.ts";

/** `foundry-cli serve` as a separate process. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  close(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Stops the servers if the user ends the bench early.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** Starts the server of a program for a store, and waits until it listens. */
export async function startServer({ folder, env }: StorePlace, program = foundryCli): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--log-level", "error"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", XDG_CACHE_HOME: cacheHome, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit");
  let told = "";
  child.stderr.setEncoding("utf8");
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    told += text;
    const origin = /http:\/\/[^/\s]+/.exec(told)?.[0];
    if (origin === undefined) continue;
    // The pipe must be read, because a full pipe would stop the server.
    child.stderr.resume();
    return {
      origin,
      pid: child.pid as number,
      async close() {
        child.kill("SIGKILL");
        running.delete(child);
        await exited;
      },
    };
  }
  throw new Error(`A server ended before it listened: ${told.slice(0, 1_000)}`);
}
