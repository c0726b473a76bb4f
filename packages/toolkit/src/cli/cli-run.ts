import { internal } from "@foundry-mcp/contract";
import type { Registry } from "../registry/registry.ts";
import { callTool } from "./call-tool.ts";
import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { createColors } from "./colors.ts";
import { builtInCommands, createCommandTree, type Program } from "./command-tree.ts";
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
import { type Reply, type ReplyContext, toOwnReply, toRefusal } from "./reply.ts";
import type { Streams } from "./streams.ts";
import { TimeBudget } from "./time-budget.ts";

/** One command line on its way to its reply. */
export class CliRun {
  readonly globals: GlobalValues;
  readonly #source: RegistrySource;
  readonly #options: CliOptions;
  readonly #argv: readonly string[];
  readonly #streams: Streams;
  readonly #watch: ProcessWatch;
  readonly #started = performance.now();
  readonly #clock = new TimeBudget();
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

  /** Never throws: whatever breaks is a reply too. */
  async reply(): Promise<Reply> {
    try {
      return await this.#watch.untilCrash(this.#run());
    } catch (thrown) {
      // What asks for completions can do nothing with an envelope.
      if (this.#argv[0] === "__complete") return { code: 1, text: "" };
      // Reading stopped where it broke; what concerns the reply may stand behind that.
      if (!this.globals.human) this.globals.human = ownWords(this.#argv).includes("--human");
      const id = findValue(this.#argv, "--request-id");
      if (id !== undefined) this.globals.requestId ??= id;
      return toRefusal(thrown, this.#context());
    } finally {
      // What is still being read will not be waited for.
      this.#done.abort();
    }
  }

  /** What is said where the process ends before there is a reply. */
  lastWords(): readonly (readonly [fd: number, text: string])[] {
    const early = internal("Cannot answer: the process was ended while the call ran", {
      remediation: "A handler must return or throw, and leave process.exit to the program.",
    });
    const { wire } = toRefusal(early, this.#context());
    if (wire === undefined) return [];
    if (!this.globals.human) return [[1, `${wire.text}\n`]];
    return [[2, toHumanNotes(wire.envelope, { width: undefined, colors: createColors(false, {}) })]];
  }

  async #run(): Promise<Reply> {
    // A registry that is there already is not waited for, so its call has all of its time.
    const isMade = typeof this.#source !== "function";
    const opened = this.#open();
    const program = await this.#watch.untilEnd(
      isMade ? opened : this.#clock.race(opened, this.#timeoutOfWords()),
    );
    const [first, at = "", ...words] = this.#argv;
    if (first === "__complete") {
      return { code: 0, text: toCandidateLines(toCandidates(program, words, Number(at))) };
    }
    const streams = this.#streams;
    const reader = createTextReader(streams.openStdin, this.#done.signal);
    const read: TextReader = (text, option, source) => {
      const { timeout } = this.globals;
      return this.#clock.race(
        reader(text, option, source),
        timeout === undefined ? undefined : parseTimeout(timeout),
      );
    };
    const line = await this.#watch.untilEnd(parseCommandLine(program, this.#argv, this.globals, read));
    switch (line.kind) {
      case "call": {
        const { signal } = this.#watch;
        const place = { streams, signal, logger: this.#options.logger, clock: this.#clock };
        return callTool(program, line.command, line.args, this.globals, place);
      }
      case "help":
        return { code: 0, text: toHelp(program, line.words, streams.stdout.columns ?? 80) };
      case "completion":
        return { code: 0, text: toCompletionScript(program.name, line.shell) };
      case "version":
        return toOwnReply({ name: program.name, version: program.version }, this.#context());
      case "bare": {
        const help = toHelp(program, line.words, streams.stderr.columns ?? 80);
        return { ...toRefusal(line.refusal, this.#context()), notes: [help.trimEnd()] };
      }
    }
  }

  /** The time as far as it can be told before the line is read: a registry may never come. */
  #timeoutOfWords(): number | undefined {
    try {
      const timeout = findValue(this.#argv, "--timeout");
      return timeout === undefined ? undefined : parseTimeout(timeout);
    } catch {
      // It is refused where the line is read.
      return undefined;
    }
  }

  async #open(): Promise<Program> {
    const { name, version, commands = [], options = [] } = this.#options;
    checkProgramOptions(options);
    const registry = typeof this.#source === "function" ? await this.#source() : this.#source;
    this.#registry = registry;
    const taken = [...builtInCommands, ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])];
    const tree = createCommandTree(registry, taken, options);
    return { name, version: version ?? registry.options.version, registry, tree, commands, options };
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

/** The words before `--`: those behind it are of a command line of somebody else. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

/** The value of an option wherever it stands. */
function findValue(argv: readonly string[], flag: string): string | undefined {
  const words = ownWords(argv);
  const at = words.indexOf(flag);
  if (at !== -1) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
