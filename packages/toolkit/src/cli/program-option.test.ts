import { type Failure, isContractError, notFound } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import type { CliOptions } from "./cli-options.ts";
import { createCommandTree } from "./command-tree.ts";
import { toCandidates } from "./complete.ts";
import { checkProgramOptions } from "./global-options.ts";
import type { CommandValues, ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { type Ran, runWords } from "./testing/run-words.ts";

const registry = createDemoRegistry();

/** Creates two options that record the values they receive, in order. */
function createOptions() {
  const heard: (readonly [string, string | undefined])[] = [];
  const options: readonly ProgramOption[] = [
    {
      flags: "--specs-dir <dir>",
      description: "Where the specs are",
      onValue: (value) => heard.push(["dir", value]),
    },
    { flags: "--offline", description: "Ask nobody", onValue: (value) => heard.push(["offline", value]) },
  ];
  return { heard, options };
}

const run = async (words: readonly string[], more: Partial<CliOptions> = {}) => {
  const { heard, options } = createOptions();
  const ran = await runWords(registry, words, {}, { options, ...more });
  return { ran, heard };
};

const refusalOf = ({ code, envelope }: Ran) => {
  const { error, data } = envelope as Failure;
  return { code, error, remediation: data.remediation };
};

describe("an option of the program", () => {
  it.each<[string[], (readonly [string, string | undefined])[]]>([
    [["--specs-dir", "a", "tasks", "find"], [["dir", "a"]]],
    [["tasks", "--specs-dir", "a", "find"], [["dir", "a"]]],
    [["tasks", "find", "--specs-dir", "a"], [["dir", "a"]]],
    [["tasks", "find", "--specs-dir=-a"], [["dir", "-a"]]],
    [["tasks", "find", "--specs_dir", "a"], [["dir", "a"]]],
    [["--specs_dir=a", "tasks", "find"], [["dir", "a"]]],
    // The value of an option counts neither as a command nor as an option.
    [["--specs-dir", "completion", "tasks", "find"], [["dir", "completion"]]],
    [["tasks", "find", "--specs-dir", "--human"], [["dir", "--human"]]],
    [["tasks", "find", "--specs-dir", ""], [["dir", ""]]],
    [["--offline", "tasks", "--offline", "find"], [["offline", undefined]]],
    [
      ["--offline", "tasks", "find", "--specs-dir", "a"],
      [
        ["offline", undefined],
        ["dir", "a"],
      ],
    ],
    [["tasks", "find"], []],
    // After `--`, the word is an argument.
    [["tasks", "complete", "s", "--", "--offline"], []],
  ])("is heard in %j", async (words, expected) => {
    const { ran, heard } = await run(words);
    expect([ran.code, heard]).toEqual([0, expected]);
  });

  it("is heard before the call, by tools of a registry that was made before", async () => {
    let folder = "none";
    const where = defineTool({
      name: "where",
      version: "1.0.0",
      description: "Where",
      run: () => ({ folder }),
    });
    const made: string[] = [];
    const options = [
      {
        flags: "--specs-dir <dir>",
        description: "Where",
        onValue: (value = "") => {
          folder = value;
        },
      },
    ];
    const open = () => {
      made.push(folder);
      return createDemoRegistry({ tools: [where] });
    };
    const ran = await runWords(open, ["where", "--specs-dir", "here"], {}, { options });
    expect([made, ran.envelope.data]).toEqual([["none"], { folder: "here" }]);
  });

  it.each([
    [
      ["--specs-dir", "a", "tasks", "find", "--specs_dir", "b"],
      "Cannot read the command line: --specs-dir is given twice",
      "Give --specs-dir once.",
    ],
    [
      ["tasks", "find", "--specs-dir"],
      "Cannot read the command line: --specs-dir has no value",
      "Give --specs-dir a value.",
    ],
    [["--specs-dir"], "Cannot read the command line: --specs-dir has no value", "Give --specs-dir a value."],
    [
      ["--offline=yes", "tasks", "find"],
      "Cannot read --offline: it takes no value",
      "Write --offline alone.",
    ],
    [
      ["tasks", "find", "--spec-dir", "a"],
      'demo tasks find takes no option "--spec-dir"',
      expect.stringMatching(/^Did you mean --specs-dir\?/),
    ],
  ])("is refused in %j", async (words, error, remediation) => {
    expect(refusalOf((await run(words)).ran)).toEqual({ code: 2, error, remediation });
  });

  it.each([["tasks find --specs-dir lost"], ["--specs-dir lost serve"]])(
    "refuses a value by throwing: %s",
    async (line) => {
      const refuse = (thrown: Error): Partial<CliOptions> => ({
        commands: [{ name: "serve", run: () => {} }],
        options: [
          {
            flags: "--specs-dir <dir>",
            description: "",
            onValue: () => {
              throw thrown;
            },
          },
        ],
      });
      const { ran } = await run(
        line.split(" "),
        refuse(notFound("folder", "lost", { remediation: "Make it." })),
      );
      expect(refusalOf(ran)).toEqual({ code: 2, error: "Folder not found: lost", remediation: "Make it." });
      const broken = await run(line.split(" "), refuse(new Error("secret")));
      expect([broken.ran.code, broken.ran.stdout.includes("secret")]).toEqual([1, false]);
    },
  );

  it("stands in help, of the program, of a group and of a command", async () => {
    for (const words of [["--help"], ["tasks", "--help"], ["tasks", "find", "--help"]]) {
      const { stdout } = (await run(words)).ran;
      const [, section = ""] = stdout.split("Options of every command:\n");
      const [lines = ""] = section.split("\n\n");
      expect(lines).toContain(
        "  -h, --help              Show this help\n" +
          "  --specs-dir <dir>       Where the specs are\n" +
          "  --offline               Ask nobody",
      );
      expect(stdout).not.toContain("specs_dir");
    }
  });

  it("is completed, and its value is not taken for a word", async () => {
    const { options } = createOptions();
    const tree = createCommandTree(registry, [], options);
    const program = {
      name: "demo",
      command: "demo",
      about: "",
      version: "1",
      registry,
      tree,
      commands: [],
      options,
      resolvers: {},
    };
    const complete = async (...words: string[]) =>
      (await toCandidates(program, ["demo", ...words], words.length)).map(({ value }) => value);
    expect(await complete("--sp")).toEqual(["--specs-dir"]);
    expect(await complete("tasks", "--off")).toEqual(["--offline"]);
    expect(await complete("tasks", "find", "--sp")).toEqual(["--specs-dir"]);
    expect(await complete("--specs-dir", "")).toEqual([]);
    expect(await complete("--specs-dir", "x", "tasks", "f")).toEqual(["find"]);
    expect(await complete("--specs_dir", "x", "--offline", "tasks", "f")).toEqual(["find"]);
    expect(await complete("tasks", "find", "--specs-dir", "")).toEqual([]);
    expect(await complete("tasks", "find", "--specs-dir", "x", "--st")).toEqual(["--status"]);
  });

  it("is given again by the command for the next page", async () => {
    const words = ["--specs_dir=a b", "--offline", "tasks", "find", "--human"];
    const [, cursor] = /--cursor (\S+)/.exec((await run(words)).ran.stderr) ?? [];
    expect((await run(words)).ran.stderr).toBe(
      `More: demo tasks find --cursor ${cursor} --specs-dir 'a b' --offline --human\n`,
    );
    const { ran, heard } = await run(["tasks", "find", "--specs-dir=-a", "--human"]);
    expect([ran.stderr.includes(" --specs-dir=-a --human\n"), heard]).toEqual([true, [["dir", "-a"]]]);
  });
});

describe("an option of the program and a command of its own", () => {
  const create = () => {
    const got: CommandValues[] = [];
    const serve: ProgramCommand = {
      name: "serve",
      aliases: ["s"],
      options: [{ flags: "--port <port>", description: "The port" }],
      run: (values) => void got.push(values),
    };
    return { got, commands: [serve] };
  };

  it.each<[string[], (readonly [string, string | undefined])[]]>([
    [["--specs-dir", "a", "serve", "--port", "1"], [["dir", "a"]]],
    [["--specs_dir=serve", "s", "--port", "1"], [["dir", "serve"]]],
    [["serve", "--specs-dir", "a", "--port", "1"], [["dir", "a"]]],
    [
      ["--offline", "serve", "--port", "1", "--specs_dir=a"],
      [
        ["offline", undefined],
        ["dir", "a"],
      ],
    ],
    [["serve", "--port", "1"], []],
  ])("is heard in %j", async (words, expected) => {
    const { got, commands } = create();
    const { ran, heard } = await run(words, { commands });
    expect([ran.code, ran.stdout, heard]).toEqual([0, "", expected]);
    expect(got).toEqual([expect.objectContaining({ port: "1" })]);
  });

  it("is refused where it is given twice, or has no value", async () => {
    const { commands, got } = create();
    const { ran } = await run(["--specs-dir", "a", "serve", "--specs-dir", "b"], { commands });
    expect(refusalOf(ran)).toEqual({
      code: 2,
      error: "Cannot read the command line: --specs-dir is given twice",
      remediation: "Give --specs-dir once.",
    });
    const bare = await run(["serve", "--specs-dir"], { commands });
    expect(refusalOf(bare.ran)).toMatchObject({
      code: 2,
      error: "Cannot run demo serve: option '--specs-dir <dir>' argument missing",
    });
    expect(got).toEqual([]);
  });

  it("stands in its help, however that is asked for", async () => {
    const { commands } = create();
    const { stdout } = (await run(["serve", "--help"], { commands })).ran;
    expect(stdout).toContain("Options of every command:\n  --specs-dir <dir>  Where the specs are\n");
    expect((await run(["--offline", "help", "serve"], { commands })).ran.stdout).toBe(stdout);
  });

  it("leaves no trace: the command can be run again, with other options", async () => {
    const { commands, got } = create();
    for (const value of ["a", "b"]) {
      const { heard } = await run(["serve", "--specs-dir", value], { commands });
      expect(heard).toEqual([["dir", value]]);
    }
    const { ran } = await run(["serve", "--specs-dir", "c"], { commands, options: [] });
    expect(refusalOf(ran)).toMatchObject({ code: 2, error: expect.stringContaining("unknown option") });
    expect(got).toHaveLength(2);
  });

  it("is hidden by an option of the command with the same name", async () => {
    const got: CommandValues[] = [];
    const own: ProgramCommand = {
      name: "own",
      options: [{ flags: "--specs-dir <dir>", description: "Its own" }],
      run: (values) => void got.push(values),
    };
    const commands = [own, { name: "other", run: () => {} }];
    const first = await run(["--specs-dir", "a", "own", "--specs-dir", "b"], { commands });
    expect([first.ran.code, first.heard, got]).toEqual([0, [["dir", "a"]], [{ "specs-dir": "b" }]]);
    const other = await run(["other", "--specs-dir", "c"], { commands });
    expect([other.ran.code, other.heard]).toEqual([0, [["dir", "c"]]]);
  });
});

describe("an option of the program that cannot be", () => {
  const option = (flags: string): ProgramOption => ({ flags, description: "", onValue: () => {} });
  const errorOf = (check: () => unknown) => {
    try {
      check();
    } catch (thrown) {
      if (isContractError(thrown)) return thrown.message;
    }
    return undefined;
  };

  it.each([
    ["specs-dir <dir>", 'Cannot add the option "specs-dir <dir>": it is neither --name nor --name <value>'],
    ["-s, --specs", 'Cannot add the option "-s, --specs": it is neither --name nor --name <value>'],
    ["--specs [dir]", 'Cannot add the option "--specs [dir]": it is neither --name nor --name <value>'],
    ["--no-specs", 'Cannot add the option "--no-specs": it is neither --name nor --name <value>'],
    ["--human", "Cannot add the option --human: every command has one of that name"],
    ["--request-id <x>", "Cannot add the option --request-id: every command has one of that name"],
    ["--max-tokens <n>", "Cannot add the option --max-tokens: every command has one of that name"],
  ])("is refused: %s", async (flags, message) => {
    expect(errorOf(() => checkProgramOptions([option(flags)]))).toBe(message);
    const ran = await runWords(registry, ["tasks", "find"], {}, { options: [option(flags)] });
    expect(refusalOf(ran)).toMatchObject({ code: 1, error: message });
    const commands = [{ name: "serve", run: () => {} }];
    const own = await runWords(registry, ["serve"], {}, { options: [option(flags)], commands });
    expect(refusalOf(own)).toMatchObject({ code: 1, error: message });
  });

  it("is refused where there are two of a name", () => {
    expect(errorOf(() => checkProgramOptions([option("--a"), option("--a <x>")]))).toBe(
      "Cannot add the option --a: every command has one of that name",
    );
  });

  it.each([
    ["--status", 'task_list(action="find")', "status", "--status"],
    ["--task-id <x>", 'task_list(action="complete")', "task_id", "--task-id"],
    ["--id <x>", 'task_list(action="complete")', "id", "--id"],
    ["--limit <n>", 'task_list(action="find")', "limit", "--limit"],
  ])("is refused as %s, which a parameter is called", (flags, label, key, flag) => {
    expect(errorOf(() => createCommandTree(registry, [], [option(flags)]))).toBe(
      `Cannot place ${label} on the command line: its parameter ${key} is written ${flag}, an option of the program`,
    );
  });

  it("is refused when the command is used, where its schema is made on demand", async () => {
    let made = 0;
    const lazy = defineTool({
      name: "lazy",
      version: "1.0.0",
      description: "Lazy",
      actions: {
        go: action({
          input: () => {
            made += 1;
            return z.object({ folder: z.string().optional() });
          },
          run: () => ({}),
        }),
      },
    });
    const options = [option("--folder <dir>")];
    const source = createDemoRegistry({ tools: [lazy] });
    expect((await runWords(source, ["tasks", "find"], {}, { options })).code).toBe(0);
    expect(made).toBe(0);
    for (const words of [
      ["lazy", "go"],
      ["lazy", "go", "--help"],
    ]) {
      expect(refusalOf(await runWords(source, words, {}, { options }))).toMatchObject({
        code: 1,
        error:
          'Cannot place lazy(action="go") on the command line: its parameter folder is written --folder, an option of the program',
      });
    }
  });
});
