import { spawn } from "node:child_process";

/** The folder and the environment of a process. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs Node until it ends, and returns its stdout. Throws if the run fails, because a fast failure would count as a
 * fast run.
 */
export function runNode(args: readonly string[], options: ProcessOptions): Promise<string> {
  return runProgram(process.execPath, args, options);
}

/** Runs a program until it ends, and returns its stdout. Throws if the run fails. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProcessOptions,
): Promise<string> {
  const child = spawn(program, args, {
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
