import { internal } from "@foundry-mcp/contract";
import type { Registry } from "../registry/registry.ts";
import { canvasOf } from "../terminal/canvas-of.ts";
import { toVisible } from "../terminal/terminal-text.ts";
import { callTool, programWords } from "./call-tool.ts";
import type { CliOptions, HomePage, RegistrySource } from "./cli-options.ts";
import type { Program } from "./command-tree.ts";
import { toCandidateLines, toCandidates } from "./complete.ts";
import { toCompletionScript } from "./completion-script.ts";
import { createCommandWriter } from "./describe-command.ts";
import { createGlobalValues, type GlobalValues, parseTimeout } from "./global-options.ts";
import { toHelp } from "./help.ts";
import { toHumanNotes } from "./human.ts";
import { openProgramFor } from "./open-program.ts";
import {
  findOutputFormat,
  lookUpOutput,
  type OutputFormat,
  readOutputVariable,
  type ShownFormat,
  toShownFormat,
} from "./output-format.ts";
import { type CommandLine, parseCommandLine } from "./parse-command-line.ts";
import type { ProcessWatch } from "./process-watch.ts";
import { createTextReader, type TextReader } from "./read-text.ts";
import { type Reply, type ReplyContext, toRefusal, toSuccessReply } from "./reply.ts";
import type { ReservedStdout, Streams } from "./streams.ts";
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
  readonly #stdout: Pick<ReservedStdout, "isTerminal">;
  #registry: Registry | undefined = undefined;
  #program: Program | undefined = undefined;
  /** The output format set by the variable or the program. */
  #format: OutputFormat | undefined = undefined;

  constructor(
    source: RegistrySource,
    options: CliOptions,
    argv: readonly string[],
    streams: Streams,
    stdout: Pick<ReservedStdout, "isTerminal">,
    watch: ProcessWatch,
  ) {
    this.globals = createGlobalValues(options.options);
    this.#source = source;
    this.#options = options;
    this.#argv = argv;
    this.#streams = streams;
    this.#stdout = stdout;
    this.#watch = watch;
  }

  /** Returns the reply; never throws, because exceptions also become replies. */
  async reply(): Promise<Reply> {
    try {
      return await this.#watch.untilCrash(this.#run());
    } catch (thrown) {
      // A completion script cannot parse an envelope, so the error is plain text.
      if (this.#argv[0] === "__complete") return { code: 1, text: "" };
      // Parsing stopped at the error, but options that affect the reply may be later on the command line.
      const output = findOutputFormat(wordsBeforeDashes(this.#argv));
      if (output !== undefined) this.globals.output = output;
      else if (this.#format === undefined) this.#format = await lookUpOutput(this.#options);
      const id = findValue(this.#argv, "--request-id");
      if (id !== undefined) this.globals.requestId ??= id;
      return toRefusal(thrown, this.#context());
    } finally {
      // Aborting stops the reading of files and pipes whose content is no longer needed.
      this.#done.abort();
    }
  }

  /** Returns the texts to write, each with its file descriptor, if the process exits before there is a reply. */
  toExitOutput(): readonly (readonly [fd: number, text: string])[] {
    const exited = internal("Cannot answer: the process was ended while the call ran", {
      remediation: "A handler must return or throw, and leave process.exit to the program.",
    });
    const { wire } = toRefusal(exited, this.#context());
    if (wire === undefined) return [];
    if (this.format === "json") return [[1, `${wire.text}\n`]];
    return [[2, toHumanNotes(wire.envelope, canvasOf(this.#streams.stderr, { NO_COLOR: "1" }))]];
  }

  /** The output format, chosen by an option, the variable, the program or the terminal, in this order. */
  get format(): ShownFormat {
    return toShownFormat(this.globals.output ?? this.#format, this.#stdout.isTerminal);
  }

  async #run(): Promise<Reply> {
    // Opening a registry that already exists takes no time of the call's timeout.
    const isCreated = typeof this.#source !== "function";
    const opened = this.#open();
    const program = await this.#watch.untilEnd(
      isCreated ? opened : this.#time.race(opened, this.#findTimeout()),
    );
    const [first, at = "", ...words] = this.#argv;
    if (first === "__complete") {
      return { code: 0, text: toCandidateLines(await toCandidates(program, words, Number(at))) };
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
    this.#program = program;
    this.#format = readOutputVariable(this.#options, streams.env);
    const line = await this.#watch.untilEnd(parseCommandLine(program, this.#argv, this.globals, read));
    if (this.globals.output === undefined) this.#format ??= await lookUpOutput(this.#options);
    switch (line.kind) {
      case "call":
        return this.#call(program, line);
      case "help":
        return { code: 0, text: toHelp(program, line.words, streams.stdout.columns ?? 80) };
      case "completion":
        return {
          code: 0,
          text: toCompletionScript({ ...program, path: process.argv[1] }, line.shell),
        };
      case "version": {
        const { name, version } = program;
        return { ...toSuccessReply({ name, version }, this.#context()), show: () => `${name} ${version}` };
      }
      case "bare": {
        const { home } = this.#options;
        const isForPeople = this.format === "human";
        if (isForPeople && home !== undefined && line.words.length === 0)
          return this.#showHome(program, await home(), read);
        const help = toHelp(program, line.words, streams.stderr.columns ?? 80);
        const notes = [help.trimEnd()];
        // In the human format, the help replaces the refusal.
        const { code, ...refusal } = toRefusal(line.refusal, this.#context());
        return isForPeople ? { code, notes } : { code, ...refusal, notes };
      }
    }
  }

  async #call(
    program: Program,
    { command, args, notes }: Extract<CommandLine, { readonly kind: "call" }>,
  ): Promise<Reply> {
    const { signal } = this.#watch;
    const deps = { streams: this.#streams, signal, logger: this.#options.logger, time: this.#time };
    const reply = await callTool(program, command, args, this.globals, deps);
    return { ...reply, notes: [...notes, ...(reply.notes ?? [])] };
  }

  async #showHome(program: Program, { argv, text }: HomePage, read: TextReader): Promise<Reply> {
    const below = text === undefined ? "" : `${toVisible(text.trimEnd(), { keepLines: true })}\n`;
    if (argv === undefined) return { code: 0, text: below };
    const line = await parseCommandLine(program, argv, this.globals, read);
    if (line.kind !== "call")
      throw internal(`Cannot show ${argv.join(" ")} as the home page: it calls no tool`);
    return { ...(await this.#call(program, line)), below };
  }

  /** Reads the timeout before the line is parsed, because creating the registry may hang. */
  #findTimeout(): number | undefined {
    try {
      const timeout = findValue(this.#argv, "--timeout");
      return timeout === undefined ? undefined : parseTimeout(timeout);
    } catch {
      // An invalid timeout is ignored here, because the parser reports it later.
      return undefined;
    }
  }

  async #open(): Promise<Program> {
    const program = await openProgramFor(this.#argv, this.#source, this.#options);
    this.#registry = program.registry;
    return program;
  }

  #context(): ReplyContext {
    return {
      registry: this.#registry,
      requestId: this.globals.requestId,
      started: this.#started,
      isInterrupted: this.#watch.signal.aborted,
      describeRemedy: this.#program && createCommandWriter(this.#program, programWords(this.globals)),
    };
  }
}

/** Returns the words before `--`; the words after `--` may be the command line of another program. */
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
