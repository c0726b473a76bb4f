import { spawn, spawnSync } from "node:child_process";

/** The result of running a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
  });
  if (error !== undefined) throw error;
  return { code: status, stdout, stderr };
}

/** Sends `initialize` to a server over stdio, and returns its first message. */
export function initialize(command: string, args: readonly string[], cwd: string): Promise<unknown> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    child.on("error", reject);
    child.on("close", () => {
      try {
        resolve(JSON.parse(text.split("\n", 1)[0] ?? ""));
      } catch (err) {
        reject(err);
      }
    });
  });
}

/** Masks ids, durations and times in the result of a program. */
export function toComparable({ code, stdout, stderr }: Ended): unknown {
  const still = (text: string) =>
    text
      .replace(/req_[0-9a-f]{12}/g, "req_")
      .replace(/"duration_ms":[\d.]+/g, '"duration_ms":0')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "now");
  return { code, stdout: still(stdout), stderr: still(stderr) };
}
