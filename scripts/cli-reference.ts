import { Writable } from "node:stream";
import type { Registry } from "@foundry-mcp/toolkit";
import { type ParameterResolvers, type ProgramCommand, runCli } from "@foundry-mcp/toolkit/cli";

/** The program that a command-line reference describes. */
export interface CliProgram {
  readonly registry: Registry;
  readonly commands: readonly ProgramCommand[];
  readonly options: NonNullable<Parameters<typeof runCli>[1]["options"]>;
  readonly resolvers: ParameterResolvers;
  readonly groups: Readonly<Record<string, string>>;
}

/** A row in a list of a help page: a command, an argument or an option. */
interface HelpRow {
  readonly term: string;
  readonly meaning: string;
}

/** The help of a command, a group or the program. */
interface Help {
  readonly usage: string;
  readonly summary: string;
  readonly also: readonly string[];
  readonly arguments: readonly HelpRow[];
  readonly options: readonly HelpRow[];
  readonly everywhere: readonly HelpRow[];
  readonly commands: readonly HelpRow[];
}

/** Writes the commands of a program as Markdown, based on the help of each command. */
export async function toCliReference(program: CliProgram): Promise<string> {
  const root = await readHelp(program, []);
  const labels = labelsOf(program.registry);
  const sections: string[] = [];
  for (const { term, meaning } of root.commands) {
    const help = await readHelp(program, [term]);
    if (help.commands.length === 0) {
      sections.push(`## ${term}`, "", ...describe(help, labels.get(term)));
      continue;
    }
    sections.push(`## ${term}`, "", `${meaning}.`, "");
    for (const { term: word, meaning: same } of help.commands) {
      // Aliases are skipped, because the reference describes an alias together with its command.
      if (same.startsWith("Same as ")) continue;
      const inner = await readHelp(program, [term, word]);
      sections.push(`### ${term} ${word}`, "", ...describe(inner, labels.get(`${term} ${word}`)));
    }
  }
  return [...toTable("option", root.everywhere), "", ...sections].join("\n").trimEnd();
}

function describe(help: Help, label: string | undefined): readonly string[] {
  const rows = [...help.arguments, ...help.options].filter(
    ({ term, meaning }) =>
      !meaning.startsWith("Same as the argument") && !/^(--max-tokens <int|-h)/.test(term),
  );
  const anchor = label?.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
  const calls = label === undefined ? "" : ` Calls [\`${label}\`](tools.md#${anchor}).`;
  const also = help.also.length === 0 ? "" : ` Also: ${help.also.map((each) => `\`${each}\``).join(", ")}.`;
  return [
    `\`${help.usage}\``,
    "",
    `${help.summary.replace(/\.$/, "")}.${also}${calls}`,
    "",
    ...(rows.length === 0 ? [] : [...toTable("argument or option", rows), ""]),
  ];
}

/** Returns the action that each command calls, for the tools that have a section in tools.md. */
function labelsOf(registry: Registry): ReadonlyMap<string, string> {
  const withoutSection = ["contract", "edit", "config", "plan", "store", "workspace"];
  const own = registry.tools.filter(({ name }) => !withoutSection.includes(name));
  return new Map(
    own.flatMap((tool) =>
      [...tool.actions.values()].map(({ definition: { cli }, name, label }) => [
        (cli === false ? undefined : cli?.command) ?? `${tool.name} ${name}`,
        label,
      ]),
    ),
  );
}

async function readHelp(
  { registry, commands, options, resolvers, groups }: CliProgram,
  words: readonly string[],
): Promise<Help> {
  let text = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const argv = [...words, "--help"];
  await runCli(registry, {
    ...{ name: "foundry-cli", argv, stdout, commands, options, resolvers, groups, signals: false },
  });
  return parseHelp(text);
}

function parseHelp(text: string): Help {
  const parts = text.trimEnd().split("\n\n");
  const [usage = "", summary = ""] = parts;
  const rowsOf = (title: string): readonly HelpRow[] => {
    const part = parts.find((each) => each.startsWith(`${title}:\n`)) ?? "";
    // In the help, a text that does not fit into a line continues on the next line with a larger indentation.
    const lines = part
      .replace(/\n {3,}/g, " ")
      .split("\n")
      .slice(1);
    return lines.map((line) => {
      const [, term = "", meaning = ""] = /^ {2}(.+?)(?: {2,}(.*))?$/.exec(line) ?? [];
      return { term, meaning };
    });
  };
  const also = parts.find((each) => each.startsWith("Also: ")) ?? "";
  return {
    usage: usage.replace("Usage: ", ""),
    summary: summary.replaceAll("\n", " "),
    also: (/^Also: (.*)$/m.exec(also)?.[1] ?? "").split(", ").filter((name) => name !== ""),
    arguments: rowsOf("Arguments"),
    options: rowsOf("Options"),
    everywhere: rowsOf("Options of every command"),
    commands: rowsOf("Commands"),
  };
}

function toTable(head: string, rows: readonly HelpRow[]): readonly string[] {
  const cells = rows.map(({ term, meaning }) => [`\`${term}\``, meaning.replaceAll("|", "\\|")]);
  const all = [[head, "meaning"], ...cells];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...body] = all;
  return [line(first), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body.map(line)];
}
