import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** True if programs can be run on a pseudo-terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;
if (!hasTerminal) process.stderr.write("Without script of util-linux there is no terminal to test in.\n");

/** A program on a pseudo-terminal, on which stdout and stderr are one stream. */
export interface Terminal {
  /** All output so far, with plain line breaks. */
  readonly text: string;
  readonly ended: Promise<number | null>;
  /** Waits until a text is shown. Throws if the program ends before that. */
  until(text: string): Promise<void>;
  press(keys: string): void;
}

/** Runs a program on a pseudo-terminal until the program or the test ends. */
export function openTerminal(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // Without exec, there would be a shell in between, and Ctrl-C would end this shell too.
  const child = spawn("script", ["-qec", `exec ${quoted}`, "/dev/null"], options);
  onTestFinished(() => void child.kill());
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const shown = () => text.replaceAll("\r\n", "\n");
  return {
    get text() {
      return shown();
    },
    ended,
    async until(wanted) {
      while (!shown().includes(wanted))
        if (await Promise.race([once(child.stdout, "data").then(() => false), ended.then(() => true)]))
          throw new Error(`It ended without ${JSON.stringify(wanted)}: ${JSON.stringify(shown())}`);
    },
    press: (keys) => void child.stdin.write(keys),
  };
}
