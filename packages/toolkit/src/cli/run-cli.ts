import type { Registry } from "../registry/registry.ts";
import { callTool } from "./call-tool.ts";
import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { createCommandTree } from "./command-tree.ts";
import { toCandidateLines, toCandidates } from "./complete.ts";
import { toCompletionScript } from "./completion-script.ts";
import { toHelp } from "./help.ts";
import { parseLine } from "./parse-line.ts";
import { printReply } from "./print-reply.ts";
import { openProcessWatch, type ProcessWatch } from "./process-watch.ts";
import { builtInCommands, type Program } from "./program.ts";
import { createTextReader } from "./read-text.ts";
import { type Reply, type ReplyContext, toOwnReply, toRefusal } from "./reply.ts";
import { findOwnCommand, runOwnCommand } from "./run-own-command.ts";
import { keepStdout, type Streams } from "./streams.ts";
import type { Wishes } from "./wishes.ts";

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
  const { stdout = process.stdout, stderr = process.stderr } = options;
  const openStdin = () => options.stdin ?? process.stdin;
  const streams: Streams = { openStdin, stdout, stderr, env: options.env ?? process.env };
  const argv = options.argv ?? process.argv.slice(2);
  const [first, second] = argv;
  const own = findOwnCommand(options.commands, first);
  const release = () => {};
  if (own !== undefined) return { ...(await runOwnCommand(options.name, own, argv, streams)), release };
  const asked = first === "help" ? findOwnCommand(options.commands, second) : undefined;
  if (asked !== undefined) {
    const words = [asked.name(), "--help"];
    return { ...(await runOwnCommand(options.name, asked, words, streams)), release };
  }
  const watch = openProcessWatch(options.signals ?? true, options.signal);
  const kept = keepStdout(streams);
  const run = new Run(source, options, argv, streams, watch);
  const code = await printReply(await run.reply(), run.wishes, kept, streams);
  return {
    code,
    staysOpen: false,
    release() {
      kept.release();
      watch.close();
    },
  };
}

/** One command line on its way to its reply. */
class Run {
  readonly wishes: Wishes = { help: false, version: false, human: false };
  readonly #source: RegistrySource;
  readonly #options: CliOptions;
  readonly #argv: readonly string[];
  readonly #streams: Streams;
  readonly #watch: ProcessWatch;
  readonly #started = performance.now();
  #registry: Registry | undefined = undefined;

  constructor(
    source: RegistrySource,
    options: CliOptions,
    argv: readonly string[],
    streams: Streams,
    watch: ProcessWatch,
  ) {
    this.#source = source;
    this.#options = options;
    this.#argv = argv;
    this.#streams = streams;
    this.#watch = watch;
  }

  /** Never throws: whatever breaks is a reply too. */
  async reply(): Promise<Reply> {
    try {
      return await this.#watch.untilCrash(this.#run());
    } catch (thrown) {
      // What asks for completions can do nothing with an envelope.
      if (this.#argv[0] === "__complete") return { code: 1, text: "" };
      // Reading stopped where it broke; what concerns the reply may stand behind that.
      if (!this.wishes.human) this.wishes.human = this.#argv.includes("--human");
      const id = findValue(this.#argv, "--request-id");
      if (id !== undefined) this.wishes.requestId ??= id;
      return toRefusal(thrown, this.#context());
    }
  }

  async #run(): Promise<Reply> {
    const program = await this.#watch.untilEnd(this.#open());
    const [first, at = "", ...words] = this.#argv;
    if (first === "__complete") {
      return { code: 0, text: toCandidateLines(toCandidates(program, words, Number(at))) };
    }
    const { openStdin, stdout, stderr } = this.#streams;
    const reading = parseLine(program, this.#argv, this.wishes, createTextReader(openStdin));
    const line = await this.#watch.untilEnd(reading);
    switch (line.kind) {
      case "call": {
        const { signal } = this.#watch;
        const place = { stderr, signal, logger: this.#options.logger };
        return callTool(program, line.command, line.args, this.wishes, place);
      }
      case "help":
        return { code: 0, text: toHelp(program, line.words, stdout.columns ?? 80) };
      case "completion":
        return { code: 0, text: toCompletionScript(program.name, line.shell) };
      case "version":
        return toOwnReply({ name: program.name, version: program.version }, this.#context());
      case "bare": {
        const help = toHelp(program, line.words, stderr.columns ?? 80);
        return { ...toRefusal(line.refusal, this.#context()), notes: [help.trimEnd()] };
      }
    }
  }

  async #open(): Promise<Program> {
    const { name, version, commands = [] } = this.#options;
    const registry = typeof this.#source === "function" ? await this.#source() : this.#source;
    this.#registry = registry;
    const taken = [...builtInCommands, ...commands.flatMap((own) => [own.name(), ...own.aliases()])];
    const tree = createCommandTree(registry, taken);
    return { name, version: version ?? registry.options.version, registry, tree, commands };
  }

  #context(): ReplyContext {
    return {
      registry: this.#registry,
      requestId: this.wishes.requestId,
      started: this.#started,
      isInterrupted: this.#watch.signal.aborted,
    };
  }
}

/** The value of an option wherever it stands. */
function findValue(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  if (at !== -1) return argv[at + 1];
  return argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
