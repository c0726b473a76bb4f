import { Command, CommanderError } from "commander";
import { suggest } from "../text/did-you-mean.ts";
import { checkProgramOptions } from "./check-program-options.ts";
import type { CliOptions } from "./cli-options.ts";
import { commandsFrom, lendOptions } from "./lend-options.ts";
import { findOwnCommand, type OwnLine } from "./own-line.ts";
import { toRefusal } from "./reply.ts";
import { type Streams, writeText } from "./streams.ts";
import { usageError } from "./usage-error.ts";

/**
 * Runs a command that calls no tool. It writes for itself, for it may be a server that speaks a
 * protocol on stdout; what it throws, and what commander refuses, is an envelope all the same.
 */
export async function runOwnCommand(
  { name, options: declared = [] }: CliOptions,
  { own, argv, options, given }: OwnLine,
  { stdout, stderr }: Streams,
): Promise<{ readonly code: number; readonly staysOpen: boolean }> {
  const started = performance.now();
  let help = "";
  let usage = "";
  const program = new Command(name).addCommand(own);
  for (const command of [program, ...commandsFrom(own)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: (text) => {
        usage += text;
      },
      outputError: () => {},
    });
  }
  const lent: (() => void)[] = [];
  try {
    checkProgramOptions(declared);
    for (const [option, value] of given) option.hear(value);
    for (const command of commandsFrom(own)) lent.push(lendOptions(command, options));
    await program.parseAsync([...argv], { from: "user" });
    return { code: 0, staysOpen: true };
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      await writeText(stdout, help);
      return { code: 0, staysOpen: false };
    }
    // commander shows the help of what has only subcommands, and says nothing else.
    const isBare = thrown instanceof CommanderError && thrown.code === "commander.help";
    if (isBare) await writeText(stderr, usage);
    const context = { registry: undefined, requestId: undefined, started, isInterrupted: false };
    const reply = toRefusal(
      isBare
        ? toBareError(name, own, argv)
        : thrown instanceof CommanderError
          ? toUsageError(name, own, thrown)
          : thrown,
      context,
    );
    await writeText(stderr, (reply.notes ?? []).map((note) => `${note}\n`).join(""));
    await writeText(stdout, `${reply.wire?.text}\n`);
    return { code: reply.code, staysOpen: false };
  } finally {
    for (const takeBack of lent) takeBack();
  }
}

/** The refusal of a command that needs another behind it. */
function toBareError(name: string, own: Command, argv: readonly string[]) {
  const path = [own];
  for (const word of argv.slice(1)) {
    const next = findOwnCommand(path.at(-1)?.commands, word);
    if (next !== undefined) path.push(next);
  }
  const names = (path.at(-1)?.commands ?? []).map((command) => command.name());
  return usageError(
    { field: "command", constraint: "required", expected: names },
    `Cannot run ${[name, ...path.map((command) => command.name())].join(" ")} alone: it needs a command`,
    `Add a command. ${suggest("", names)}`,
  );
}

/** commander says it in a line, with a guess in a second one. */
function toUsageError(name: string, own: Command, { message, code }: CommanderError) {
  const [line = "", guess = ""] = message.replace(/^error: /, "").split("\n");
  const hint = guess.replace(/^\((.*)\)$/, "$1 ");
  return usageError(
    { field: "arguments", constraint: code.replace(/^commander\./, "") },
    `Cannot run ${name} ${own.name()}: ${line}`,
    `${hint}${name} ${own.name()} --help lists what it takes.`,
  );
}
