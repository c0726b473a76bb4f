import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { CliRun } from "./cli-run.ts";
import { printReply } from "./print-reply.ts";
import { openExitGuard, openProcessWatch } from "./process-watch.ts";
import { toProgramCommandLine } from "./program-command.ts";
import { runProgramCommand } from "./run-program-command.ts";
import { keepOwnStdout, keepStdout, type Streams } from "./streams.ts";

/**
 * Runs a command line on a registry and returns the exit code. Stdout gets one line with the envelope,
 * whatever happens; help, `completion` and `--human` alone write something else.
 *
 * 0 is success. 1 is a failure of the call: also a value that the action's schema refuses, for the call
 * was made and every surface answers it alike. 2 is a command line that makes no call: an unknown
 * command or option, a missing value, a file that cannot be read. 130 is an interrupted call.
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
 * Makes this process the command line of a registry, and ends it with the exit code of `runCli`. A
 * command of the program's own, such as a server, ends it when it is done.
 *
 * @example
 * await serveCli(() => createRegistry({ name: "notes", version: "1.0.0", tools: [notes] }), { name: "notes" });
 */
export async function serveCli(source: RegistrySource, options: CliOptions): Promise<void> {
  const { code, staysOpen } = await runProgram(source, options);
  if (code !== 0 || !staysOpen) process.exitCode = code;
  // A handler that was given up on may hold the process open for ever; everything has been written.
  if (!staysOpen) process.exit(code);
}

interface End {
  readonly code: number;
  /** Work goes on that the process must live for. */
  readonly staysOpen: boolean;
  /** Gives stdout and the signals back; a process that ends keeps them to its last moment. */
  readonly release: () => void;
}

async function runProgram(source: RegistrySource, options: CliOptions): Promise<End> {
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
  const isOwn = options.stdout === undefined || options.stdout === process.stdout;
  const kept = isOwn && options.stderr === undefined ? keepOwnStdout() : keepStdout(streams);
  const run = new CliRun(source, options, argv, streams, watch);
  const guard = signals && isOwn ? openExitGuard(() => run.lastWords()) : undefined;
  const reply = await run.reply();
  guard?.close();
  const code = await printReply(reply, run.globals, kept, streams);
  return {
    code,
    staysOpen: false,
    release() {
      kept.release();
      watch.close();
    },
  };
}
