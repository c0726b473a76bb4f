import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { cliScript, plainEnv } from "../specs/programs.ts";

/**
 * Runs a command in a pseudo-terminal with its stdout redirected, as `command > file` does. Keys come from stdin. The
 * command's stdout goes to stdout, and the terminal's output goes to stderr. Echo is off.
 */
const program = `
import fcntl, os, pty, select, struct, sys, termios
reader, writer = os.pipe()
pid, master = pty.fork()
if pid == 0:
    os.read(0, 1)
    os.dup2(writer, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(writer)
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
mode = termios.tcgetattr(master)
mode[3] &= ~termios.ECHO
termios.tcsetattr(master, termios.TCSANOW, mode)
os.write(master, b"\\n")
outputs = {reader: 1, master: 2}
inputs = [0]
while outputs:
    for ready in select.select([*outputs, *inputs], [], [])[0]:
        try: text = os.read(ready, 65536)
        except OSError: text = b""
        if ready == 0:
            if text: os.write(master, text)
            else: inputs.clear()
        elif text: os.write(outputs[ready], text)
        else: del outputs[ready]
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`;

/** True if pseudo-terminals are available. */
export const hasTerminal = spawnSync("python3", ["-c", "import pty, fcntl, termios"]).status === 0;
if (!hasTerminal) process.stderr.write("Without python3 there is no terminal to test progress in.\n");

/** A command running in a pseudo-terminal. */
export interface TerminalRun {
  /** Resolves with the result when the command has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly shown: string }>;
  /** Waits until the terminal shows a text. */
  until(text: RegExp): Promise<void>;
  press(keys: string): void;
}

/** Runs `foundry-cli` in a terminal of 100 columns. */
export function runInTerminal(argv: readonly string[], cwd: string): TerminalRun {
  const child = spawn("python3", ["-c", program, process.execPath, cliScript, ...argv], {
    cwd,
    env: { ...plainEnv(cwd), TERM: "xterm" },
  });
  onTestFinished(() => void child.kill());
  let [stdout, shown] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, shown }));
  return {
    ended,
    async until(text) {
      while (!text.test(shown))
        if (await Promise.race([once(child.stderr, "data").then(() => false), ended.then(() => true)]))
          throw new Error(`It ended without ${text}: ${JSON.stringify(shown)} ${stdout}`);
    },
    press: (keys) => void child.stdin.write(keys),
  };
}
