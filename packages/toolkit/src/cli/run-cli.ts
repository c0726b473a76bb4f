import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { CliRun } from "./cli-run.ts";
import { printReply } from "./print-reply.ts";
import { openExitGuard, openProcessWatch } from "./process-watch.ts";
import { toProgramCommandLine } from "./program-command.ts";
import { runProgramCommand } from "./run-program-command.ts";
import { reserveProcessStdout, reserveStdout, type Streams } from "./streams.ts";

/**
 * Runs a command line on a registry and returns the exit code. Stdout gets one line with the envelope,
 * whatever happens; only help, `completion` and `--human` write something else.
 *
 * 0 is success. 1 is a failure of the call, which includes a value that the action's schema refuses. 2 is a
 * usage error, which makes no call: an unknown command or option, a missing value, a file that cannot be
 * read. 130 is an interrupted call.
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
 * Runs the command line of this process on a registry, and ends the process with the exit code of `runCli`.
 * After a program command, such as a server, the process ends when nothing keeps it open.
 *
 * @example
 * await serveCli(() => createRegistry({ name: "notes", version: "1.0.0", tools: [notes] }), { name: "notes" });
 */
export async function serveCli(source: RegistrySource, options: CliOptions): Promise<void> {
  const { code, staysOpen } = await runProgram(source, options);
  if (code !== 0 || !staysOpen) process.exitCode = code;
  // A handler that did not stop at its deadline may keep the process open for ever; everything has been written.
  if (!staysOpen) process.exit(code);
}

interface ProgramEnd {
  readonly code: number;
  /** True if work goes on, so that the process must not be ended. */
  readonly staysOpen: boolean;
  /** Restores stdout and removes the signal handlers; a process that ends keeps them until it has. */
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
  if (line !== undefined) return { ...(await runProgramCommand(options, line, streams)), release: () => {} };
  const { signals = true } = options;
  const watch = openProcessWatch(signals, options.signal, () => guard?.close());
  const isProcessStdout = options.stdout === undefined || options.stdout === process.stdout;
  const stdout =
    isProcessStdout && options.stderr === undefined ? reserveProcessStdout() : reserveStdout(streams);
  const run = new CliRun(source, options, argv, streams, watch);
  const guard = signals && isProcessStdout ? openExitGuard(() => run.toExitOutput()) : undefined;
  const reply = await run.reply();
  guard?.close();
  const code = await printReply(reply, run.globals, stdout, streams);
  return {
    code,
    staysOpen: false,
    release() {
      stdout.release();
      watch.close();
    },
  };
}
