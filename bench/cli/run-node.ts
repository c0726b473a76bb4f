import { spawn } from "node:child_process";

/** How a process is started. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs Node to its end, and gives what it wrote; throws where it fails, for a failure is quick. */
export function runNode(args: readonly string[], { cwd, env }: Place): Promise<string> {
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
