import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CommandTarget } from "../connect-target.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));

/** The command that starts a fixture over stdio. */
export function fixtureCommand(name: string): CommandTarget {
  return { command: process.execPath, args: [pathOf(name)], stderr: "ignore" };
}

/** A fixture that serves HTTP in a separate process, so that tests can kill it. */
export interface HttpFixture {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts an HTTP fixture on a free port. */
export async function startHttpFixture(name: string): Promise<HttpFixture> {
  const child = fork(pathOf(name), { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
