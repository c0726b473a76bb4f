import { Command, CommanderError } from "commander";
import { toRefusal } from "./reply.ts";
import { type Streams, writeText } from "./streams.ts";
import { usageError } from "./usage-error.ts";

/** The command of the program's own that a word names; undefined where it names none. */
export function findOwnCommand(
  commands: readonly Command[] | undefined,
  word: string | undefined,
): Command | undefined {
  return commands?.find(
    (command) => word !== undefined && [command.name(), ...command.aliases()].includes(word),
  );
}

/**
 * Runs a command that calls no tool. It writes for itself, for it may be a server that speaks a
 * protocol on stdout; what it throws, and what commander refuses, is an envelope all the same.
 */
export async function runOwnCommand(
  name: string,
  own: Command,
  argv: readonly string[],
  { stdout, stderr }: Streams,
): Promise<{ readonly code: number; readonly staysOpen: boolean }> {
  const started = performance.now();
  let help = "";
  const program = new Command(name).addCommand(own);
  for (const command of [program, ...below(own)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: () => {},
      outputError: () => {},
    });
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return { code: 0, staysOpen: true };
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      await writeText(stdout, help);
      return { code: 0, staysOpen: false };
    }
    const context = { registry: undefined, requestId: undefined, started, isInterrupted: false };
    const reply = toRefusal(
      thrown instanceof CommanderError ? toUsageError(name, own, thrown) : thrown,
      context,
    );
    await writeText(stderr, (reply.notes ?? []).map((note) => `${note}\n`).join(""));
    await writeText(stdout, `${reply.wire?.text}\n`);
    return { code: reply.code, staysOpen: false };
  }
}

function below(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(below)];
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
