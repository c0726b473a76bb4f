import { internal } from "@foundry-mcp/contract";
import type { Registry } from "../registry/registry.ts";
import { callTool } from "./call-tool.ts";
import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { createColors } from "./colors.ts";
import { builtInCommands, createCommandTree, firstLine, type Program } from "./command-tree.ts";
import { toCandidateLines, toCandidates } from "./complete.ts";
import { toCompletionScript } from "./completion-script.ts";
import {
  checkProgramOptions,
  createGlobalValues,
  type GlobalValues,
  parseTimeout,
} from "./global-options.ts";
import { toHelp } from "./help.ts";
import { toHumanNotes } from "./human.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import type { ProcessWatch } from "./process-watch.ts";
import { createTextReader, type TextReader } from "./read-text.ts";
import { type Reply, type ReplyContext, toRefusal, toSuccessReply } from "./reply.ts";
import type { Streams } from "./streams.ts";
import { TimeBudget } from "./time-budget.ts";

/** Runs one command line: opens the registry, parses the words, calls the tool and returns the reply. */
export class CliRun {
  readonly globals: GlobalValues;
  readonly #source: RegistrySource;
  readonly #options: CliOptions;
  readonly #argv: readonly string[];
  readonly #streams: Streams;
  readonly #watch: ProcessWatch;
  readonly #started = performance.now();
  readonly #time = new TimeBudget();
  readonly #done = new AbortController();
  #registry: Registry | undefined = undefined;

  constructor(
    source: RegistrySource,
    options: CliOptions,
    argv: readonly string[],
    streams: Streams,
    watch: ProcessWatch,
  ) {
    this.globals = createGlobalValues(options.options);
    this.#source = source;
    this.#options = options;
    this.#argv = argv;
    this.#streams = streams;
    this.#watch = watch;
  }

  /** Returns the reply; it never throws, for an exception becomes a reply too. */
  async reply(): Promise<Reply> {
    try {
      return await this.#watch.untilCrash(this.#run());
    } catch (thrown) {
      // A completion script cannot use an envelope.
      if (this.#argv[0] === "__complete") return { code: 1, text: "" };
      // Parsing stopped at the error; options for the reply may stand behind it.
      if (!this.globals.human) this.globals.human = wordsBeforeDashes(this.#argv).includes("--human");
      const id = findValue(this.#argv, "--request-id");
      if (id !== undefined) this.globals.requestId ??= id;
      return toRefusal(thrown, this.#context());
    } finally {
      // Nobody waits for files and pipes that are still being read.
      this.#done.abort();
    }
  }

  /** The output, by file descriptor, of a process that ends before there is a reply. */
  toExitOutput(): readonly (readonly [fd: number, text: string])[] {
    const exited = internal("Cannot answer: the process was ended while the call ran", {
      remediation: "A handler must return or throw, and leave process.exit to the program.",
    });
    const { wire } = toRefusal(exited, this.#context());
    if (wire === undefined) return [];
    if (!this.globals.human) return [[1, `${wire.text}\n`]];
    return [[2, toHumanNotes(wire.envelope, { width: undefined, colors: createColors(false, {}) })]];
  }

  async #run(): Promise<Reply> {
    // A registry that exists already takes nothing of the time of the call.
    const isCreated = typeof this.#source !== "function";
    const opened = this.#open();
    const program = await this.#watch.untilEnd(
      isCreated ? opened : this.#time.race(opened, this.#findTimeout()),
    );
    const [first, at = "", ...words] = this.#argv;
    if (first === "__complete") {
      return { code: 0, text: toCandidateLines(toCandidates(program, words, Number(at))) };
    }
    const streams = this.#streams;
    const reader = createTextReader(streams.openStdin, this.#done.signal);
    const read: TextReader = (text, option, source) => {
      const { timeout } = this.globals;
      return this.#time.race(
        reader(text, option, source),
        timeout === undefined ? undefined : parseTimeout(timeout),
      );
    };
    const line = await this.#watch.untilEnd(parseCommandLine(program, this.#argv, this.globals, read));
    switch (line.kind) {
      case "call": {
        const { signal } = this.#watch;
        const deps = { streams, signal, logger: this.#options.logger, time: this.#time };
        return callTool(program, line.command, line.args, this.globals, deps);
      }
      case "help":
        return { code: 0, text: toHelp(program, line.words, streams.stdout.columns ?? 80) };
      case "completion":
        return { code: 0, text: toCompletionScript(program.name, line.shell) };
      case "version":
        return toSuccessReply({ name: program.name, version: program.version }, this.#context());
      case "bare": {
        const help = toHelp(program, line.words, streams.stderr.columns ?? 80);
        return { ...toRefusal(line.refusal, this.#context()), notes: [help.trimEnd()] };
      }
    }
  }

  /** The timeout before the line is parsed: creating the registry may never end. */
  #findTimeout(): number | undefined {
    try {
      const timeout = findValue(this.#argv, "--timeout");
      return timeout === undefined ? undefined : parseTimeout(timeout);
    } catch {
      // Parsing the line refuses it.
      return undefined;
    }
  }

  async #open(): Promise<Program> {
    const { name, command = name, about, version, commands = [], options = [] } = this.#options;
    checkProgramOptions(options);
    const registry = typeof this.#source === "function" ? await this.#source() : this.#source;
    this.#registry = registry;
    const taken = [...builtInCommands, ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])];
    const tree = createCommandTree(registry, taken, options);
    const { title = registry.options.name } = registry.options;
    return {
      ...{ name, command, about: about ?? firstLine(title), version: version ?? registry.options.version },
      ...{ registry, tree, commands, options },
    };
  }

  #context(): ReplyContext {
    return {
      registry: this.#registry,
      requestId: this.globals.requestId,
      started: this.#started,
      isInterrupted: this.#watch.signal.aborted,
    };
  }
}

/** The words before `--`: those behind it may be the command line of another program. */
function wordsBeforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

/** Finds the value of an option anywhere on the line. */
function findValue(argv: readonly string[], flag: string): string | undefined {
  const words = wordsBeforeDashes(argv);
  const at = words.indexOf(flag);
  if (at !== -1) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
