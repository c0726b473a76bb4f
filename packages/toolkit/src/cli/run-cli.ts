import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { CliRun } from "./cli-run.ts";
import { printReply } from "./print-reply.ts";
import { openExitGuard, openProcessWatch } from "./process-watch.ts";
import { toProgramCommandLine } from "./program-command.ts";
import { runProgramCommand } from "./run-program-command.ts";
import { reserveProcessStdout, reserveStdout, type Streams } from "./streams.ts";

/**
 * Runs a command line on a registry and returns the exit code. On a terminal, the result is printed as text
 * for people, and errors go to stderr. If stdout is not a terminal, it always receives one line with the
 * envelope, except for help and `completion`. The option `--output`, an environment variable and
 * `options.output` override this format.
 *
 * Exit code 0 means success. Exit code 1 means a failed call, including a call with a value that the action's
 * schema refuses. Exit code 2 means a usage error (an unknown command or option, an option without its value, a file that
 * cannot be read); no call is made. Exit code 130 means an interrupted call.
 *
 * @example
 * const code = await runCli(registry, { name: "notes", argv: ["list", "--limit", "5"] });
 */
export async function runCli(source: RegistrySource, options: CliOptions): Promise<number> {
  const { code, release } = await runProgram(source, options);
  release();
  return code;
}

/**
 * Runs the command line of this process on a registry, then exits the process with the exit code of `runCli`. After a
 * program command, such as a server, the process exits when nothing keeps the event loop alive.
 *
 * @example
 * await serveCli(() => createRegistry({ name: "notes", version: "1.0.0", tools: [notes] }), { name: "notes" });
 */
export async function serveCli(source: RegistrySource, options: CliOptions): Promise<void> {
  const { code, staysOpen } = await runProgram(source, options);
  if (code !== 0 || !staysOpen) process.exitCode = code;
  // At this point, all output has been written. The process exits explicitly, because a handler that did not stop at
  // its deadline could keep the process alive forever.
  if (!staysOpen) process.exit(code);
}

interface ProgramEnd {
  readonly code: number;
  /** True if work may still be running, so that the process must not be exited. */
  readonly staysOpen: boolean;
  /** Restores stdout and removes the signal handlers; not called before the process exits. */
  readonly release: () => void;
}

async function runProgram(source: RegistrySource, options: CliOptions): Promise<ProgramEnd> {
  const streams: Streams = {
    openStdin: () => options.stdin ?? process.stdin,
    get stdout() {
      return options.stdout ?? process.stdout;
    },
    get stderr() {
      return options.stderr ?? process.stderr;
    },
    env: options.env ?? process.env,
  };
  const argv = options.argv ?? process.argv.slice(2);
  const line = toProgramCommandLine(options.commands, options.options ?? [], argv);
  if (line !== undefined)
    return { ...(await runProgramCommand(source, options, line, streams)), release: () => {} };
  const { signals = true } = options;
  const watch = openProcessWatch(signals, options.signal, () => guard?.close());
  const isProcessStdout = options.stdout === undefined || options.stdout === process.stdout;
  const stdout =
    isProcessStdout && options.stderr === undefined ? reserveProcessStdout() : reserveStdout(streams);
  const run = new CliRun(source, options, argv, streams, stdout, watch);
  const guard = signals && isProcessStdout ? openExitGuard(() => run.toExitOutput()) : undefined;
  const reply = await run.reply();
  guard?.close();
  const code = await printReply(reply, run.format, stdout, streams);
  return {
    code,
    staysOpen: false,
    release() {
      stdout.release();
      watch.close();
    },
  };
}
