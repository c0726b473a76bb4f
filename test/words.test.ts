import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type ErrorEntry, errorCatalogue } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { helpTexts } from "#built/foundry/app/help-texts.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { commandGroups } from "#built/foundry/cli/command-groups.js";
import { createIdResolvers } from "#built/foundry/cli/id-resolvers.js";
import { createProgramCommands, createProgramOptions } from "#built/foundry/cli/program-commands.js";
import { replaceRenamedCommand } from "#built/foundry/cli/renamed-commands.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { optionSettings, toOption } from "#built/foundry/config/settings.js";
import { UsedSettings } from "#built/foundry/config/used-settings.js";
import { toCliOptions } from "#built/toolkit/cli/cli-option.js";
import { createCommandWriter } from "#built/toolkit/cli/describe-command.js";
import { globalOptions, versionOption } from "#built/toolkit/cli/global-options.js";
import { toHelp, toProgramCommandHelp } from "#built/toolkit/cli/help.js";
import { openProgram } from "#built/toolkit/cli/open-program.js";
import { findProgramCommand } from "#built/toolkit/cli/program-command.js";
import { spellingsOf } from "#built/toolkit/cli/program-option.js";
import { readPage } from "./markdown.ts";
import { commandsIn, type PrintedCommand } from "./printed-commands.ts";
import { root } from "./source-files.ts";

/** Words that must not be used, each with the word to use instead. */
const oldWords: readonly (readonly [old: RegExp, current: string])[] = [
  [/\bdoors?\b/i, "entry point"],
  [/\bjourneys?\b/i, "call state"],
  [/\bflights?\b/i, "deadline"],
  [/\bwishes\b/i, "global options"],
  [/\bdesks?\b/i, "the thing itself: runs, routes"],
  [/\bcircles?\b/i, "cycle"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\bpieces?\b/i, "chunk"],
  [/\bplace-?cuts?\b/i, "split"],
  [/\brestless\b/i, "the file keeps changing"],
  [/\bbearings?\b/i, "weight, idf"],
  [/\b(old|new) kind of address\b/i, "IPv4, IPv6"],
  [/\bmention says no more\b/i, "term saturation"],
  [/\b[A-Z][a-z]+Place\b/, "…Deps"],
];

/** Further words that help texts must not use. */
const wordsOfNoHelp: typeof oldWords = [
  [/\b(told|tells?)\b/i, "returned, reports"],
  [/\bbeside\b(?! the specs)/i, "with, next to"],
  [/\bas it stands\b/i, "literally"],
  [/\bmost (tokens|calls|connections)\b/i, "maximum number of"],
];

/** Places where one of these words is allowed, with the reason. */
const allowed: readonly (readonly [page: RegExp, text: RegExp, why: string])[] = [
  [/./, /\bin flight\b/, "the field's phrase for requests that are not answered yet"],
  [/scale\.md|013-/, /\bpieces?\b/i, "foundry.piece is the name of a table"],
];

const load = () => loadSettings({ env: {}, cwd: "/" });
const workspace = openWorkspace(load, "/");
const program = await openProgram(createCliRegistry({ load, cwd: "/", workspace }), {
  name: "foundry-cli",
  options: createProgramOptions({}),
  groups: commandGroups,
  resolvers: createIdResolvers({ workspace, env: {} }),
  commands: createProgramCommands({ load, flags: {}, cwd: "/", used: new UsedSettings() }),
});
const { tree, registry } = program;
const grouped = [...tree.groups].flatMap(([group, { commands }]) =>
  [...commands.keys()].map((word) => [group, word]),
);
const paths = [...grouped, ...[...tree.single.keys()].map((word) => [word])];

/** The help of the program, of its groups and of its commands, by the words that are typed before `--help`. */
const help: ReadonlyMap<string, string> = new Map([
  ["", toHelp(program, [], 200)],
  ["completion", toHelp(program, ["completion"], 200)],
  ...[...tree.groups.keys()].map((group) => [group, toHelp(program, [group], 200)] as const),
  ...paths.map((path) => [path.join(" "), toHelp(program, path, 200)] as const),
  ...program.commands.map(
    (command) => [command.name, toProgramCommandHelp("foundry-cli", command, program.options, 200)] as const,
  ),
]);

const descriptions = registry.tools.flatMap((tool) => [
  [tool.name, tool.description] as const,
  ...[...tool.actions.values()].flatMap(({ label, definition, input }) => [
    [label, definition.description ?? ""] as const,
    ...[...input.parameters].map(
      ([name, { json }]) => [`${label} ${name}`, String(json["description"] ?? "")] as const,
    ),
  ]),
]);

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

/** Finds words in a text. Each finding contains the place, the line, the word, and the word to use instead. */
function findWords(place: string, text: string, words: typeof oldWords): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const known = allowed.filter(([page]) => page.test(place));
    const checked = known.reduce(
      (rest, [, part]) => rest.replace(new RegExp(part, `${part.flags}g`), ""),
      line,
    );
    return words.flatMap(([old, current]) => {
      const found = old.exec(checked)?.[0];
      return found === undefined ? [] : [`${place}:${index + 1}: "${found}"; write ${current}`];
    });
  });
}

describe("words", () => {
  it("of the old glossary are neither in help nor in descriptions", () => {
    const found = [...help].flatMap(([name, text]) =>
      findWords(`foundry-cli ${name} --help`, text, [...oldWords, ...wordsOfNoHelp]),
    );
    expect(found).toEqual([]);
    expect(descriptions.flatMap(([label, text]) => findWords(label, text, oldWords))).toEqual([]);
  });

  it("of the old glossary are not in pages", () => {
    expect(pages.flatMap((page) => findWords(page, readPage(page), oldWords))).toEqual([]);
  });

  it("of the old glossary are found, with their line", () => {
    expect(findWords("a.md", "One\nMend the door: calls in flight", oldWords)).toEqual([
      'a.md:2: "door"; write entry point',
      'a.md:2: "Mend"; write fix',
    ]);
  });
});

describe("help", () => {
  it("has a sentence for each group and each command of one word", () => {
    const words = [...tree.groups.keys(), ...tree.single.keys(), "serve", "page", "gateway", "watch"];
    expect(Object.keys(commandGroups).toSorted()).toEqual(words.toSorted());
  });

  it("describes every option and argument, and begins no text with a question word", () => {
    const rows = [...help].flatMap(([name, text]) =>
      text.split("\n").flatMap((line) => {
        const [, term, meaning = ""] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
        const isExample = term === undefined || /^(#|foundry-cli|bash:|zsh:|fish:)/.test(term);
        return isExample ? [] : [{ name, term, meaning }];
      }),
    );
    expect(rows.length).toBeGreaterThan(1_000);
    const isRiddle = (meaning: string) =>
      meaning === "" || /^(\(|(What|Who|Where|Whether|Which|Of)\b)/.test(meaning);
    expect(rows.filter(({ meaning }) => isRiddle(meaning))).toEqual([]);
  });

  it("names the option that sets a boolean to false where the boolean is true by default", () => {
    const rows = [...help].flatMap(([name, text]) =>
      [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+) {2,}(\S.*\(default: true\b.*)$/gm)].map(
        ([, flag = "", meaning = ""]) => ({ name, flag, meaning }),
      ),
    );
    expect(rows.length).toBeGreaterThan(4);
    const isNamed = (flag: string, meaning: string) =>
      meaning.includes(`${flag.replace("--", "--no-")} for false`);
    expect(rows.filter(({ flag, meaning }) => !isNamed(flag, meaning))).toEqual([]);
  });

  it("has texts for people only where there is an action and a parameter of the name", () => {
    const unknown = Object.entries(helpTexts).flatMap(([name, actions]) => {
      const tool = registry.tools.find((each) => each.name === name);
      return Object.entries(actions).flatMap(([actionName, { parameters = {} }]) => {
        const known = tool?.actions.get(actionName)?.input.parameters;
        return Object.keys(parameters)
          .filter((parameter) => known?.has(parameter) !== true)
          .map((parameter) => `${name} ${actionName} ${parameter}`);
      });
    });
    expect(unknown).toEqual([]);
  });

  it("and remedies on the command line hold no call of MCP", () => {
    const call = new RegExp(`\\b(${registry.tools.map(({ name }) => name).join("|")})\\((action|[a-z_]+)=`);
    const write = createCommandWriter(program);
    const remedies = Object.entries<ErrorEntry>(errorCatalogue).flatMap(([code, { remedy }]) =>
      remedy === undefined ? [] : [[code, write(remedy)] as const],
    );
    const texts = [...help, ...remedies];
    expect(texts.filter(([, text]) => call.test(text))).toEqual([]);
    expect(call.test('Read it with spec(action="get")')).toBe(true);
  });
});

/** Returns the reason why a command does not exist, or undefined if it exists. */
function faultOf({ program: name, words }: PrintedCommand): string | undefined {
  const everywhere = [...globalOptions, ...program.options, versionOption].flatMap(({ flags }) =>
    spellingsOf(flags),
  );
  const settings = optionSettings.map(toOption);
  const end = words.indexOf("--");
  const own = end === -1 ? words : words.slice(0, end);
  const isOption = (word: string) => /^--[a-z]/.test(word);
  const options = own.filter(isOption).map((word) => word.replace(/[=,.:].*$/, ""));
  const [first, second = ""] = replaceRenamedCommand(own.filter((word) => word !== "help"));
  if (first === undefined || first.startsWith("-")) {
    const known = name === "foundry-mcp" ? [...everywhere, ...settings] : everywhere;
    const unknown = options.find((option) => !known.includes(option));
    // An option may be followed by a value and a command. The command is looked up with the same options.
    return unknown === undefined ? undefined : `${unknown} is no option of ${name}`;
  }
  // The next word belongs to the sentence, or is a placeholder for a command.
  if (!/^[a-z][a-z-]*$/.test(first) || ["and", "or"].includes(first)) return undefined;
  const other = findProgramCommand(program.commands, first);
  if (first === "completion") return undefined;
  if (other !== undefined) {
    const known = [...everywhere, ...(other.options ?? []).flatMap(({ flags }) => spellingsOf(flags))];
    const unknown = options.find((option) => !known.includes(option));
    return unknown === undefined ? undefined : `${first} has no option ${unknown}`;
  }
  const command = tree.find(first, second) ?? tree.find(first);
  if (command === undefined) {
    if (tree.isGroup(first) && !/^[a-z]/.test(second)) return undefined;
    return `there is no command ${first} ${second}`.trimEnd();
  }
  const known = toCliOptions(command.action).flatMap(({ flags, negations }) => [...flags, ...negations]);
  const unknown = options.find((option) => ![...everywhere, ...known].includes(option));
  return unknown === undefined ? undefined : `${first} ${second} has no option ${unknown}`;
}

describe("pages", () => {
  it("print commands and options that exist", () => {
    const printed = pages.flatMap((page) =>
      commandsIn(readPage(page)).map((command) => ({ page, ...command })),
    );
    const faults = printed.flatMap(({ page, ...command }) => {
      const fault = faultOf(command);
      return fault === undefined ? [] : [`${page}:${command.line}: ${fault}`];
    });
    expect(faults).toEqual([]);
    expect(printed.length).toBeGreaterThan(300);
  });

  it("print no npx foundry-cli, which is the package of somebody else", () => {
    const explains = "docs/decisions/019-agents.md";
    const found = pages
      .filter((page) => page !== explains)
      .flatMap((page) =>
        readPage(page)
          .split("\n")
          .flatMap((line, index) =>
            /npx (-y |--yes )?foundry-cli/.test(line) ? [`${page}:${index + 1}`] : [],
          ),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ["`foundry-cli tasks nxt ID`", "there is no command tasks nxt"],
    ["`npx foundry-mcp specs find --colour`", "specs find has no option --colour"],
    ["```bash\nfoundry-cli serve --porte 1 | cat\n```", "serve has no option --porte"],
    ["```bash\nfoundry-cli contract check -- node s.mjs --any\n```", undefined],
    ["`foundry-mcp --portt 1`", "--portt is no option of foundry-mcp"],
    ["`foundry-cli modify phase add ID --title T`", undefined],
  ])("that print %s would be found", (text, fault) => {
    expect(commandsIn(text).map(faultOf)).toEqual([fault]);
  });
});
