import { spawn } from "node:child_process";

/** The folder and the environment of a process. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs Node until it ends and returns its stdout; throws if it fails, because failures are fast. */
export function runNode(args: readonly string[], { cwd, env }: ProcessOptions): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${text.slice(0, 500)}`));
    });
  });
}
