import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const running = new Set<ChildProcess>();

/** Starts a script with the Node that runs this process. The child is killed when this process exits. */
export function startNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a process and waits for its exit. Kills the process after five seconds. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exited;
  clearTimeout(timer);
}

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** The fixture server in a separate process. */
export interface Fixture {
  readonly url: string;
  close(): Promise<void>;
}

/** The fixture server must print its URL within this time. */
const maxStartMs = 20_000;

/** Starts the fixture server on a free port. */
export async function startFixture(): Promise<Fixture> {
  const script = fileURLToPath(new URL("./fixture-server.js", import.meta.url));
  const child = startNode([script, "0"], { LOG_LEVEL: "fatal" });
  child.stderr?.pipe(process.stderr);
  try {
    if (child.stdout === null) throw new Error("The fixture server has no output");
    const lines = createInterface(child.stdout);
    const [line] = await Promise.race([
      once(lines, "line", { signal: AbortSignal.timeout(maxStartMs) }),
      once(lines, "close"),
    ]);
    const url = String(line);
    if (!URL.canParse(url)) throw new Error("The fixture server ended before it listened");
    return { url, close: () => stop(child) };
  } catch (thrown) {
    await stop(child);
    throw thrown;
  }
}
