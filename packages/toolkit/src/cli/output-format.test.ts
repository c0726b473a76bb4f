import { ContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import type { CliOptions } from "./cli-options.ts";
import { findOutputFormat, toOutputVariable } from "./output-format.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { createScreen, runWords } from "./testing/run-words.ts";

const failing = defineTool({
  name: "failing",
  version: "1.0.0",
  description: "Fails",
  run: () => {
    throw new ContractError("Cannot complete task-2: task-1 is open", {
      errorCode: "INVALID_STATE",
      remediation: "Do it first: {1}.",
      remedy: { tool: "task_list", action: "complete", arguments: { spec_id: "s" }, needs: ["task_id"] },
    });
  },
});
const registry = createDemoRegistry({ tools: [failing] });
const terminal = { isTTY: true, columns: 80 };
const call = ["tasks", "complete", "s", "t"];
const forPeople = "spec_id: s\ntask_id: t\n";
const isJson = (text: string) => /^\{"success":.*\}\n$/.test(text);

describe("the format of an answer", () => {
  it.each<[boolean, readonly string[], Partial<CliOptions>, "json" | "human"]>([
    [false, [], {}, "json"],
    [true, [], {}, "human"],
    [true, ["--json"], {}, "json"],
    [false, ["--human"], {}, "human"],
    [false, ["--output", "human"], {}, "human"],
    [true, ["--output=json"], {}, "json"],
    [true, ["--output", "auto"], { env: { DEMO_OUTPUT: "json" } }, "human"],
    [true, ["--human", "--json"], {}, "json"],
    [false, ["--json", "--output", "human"], {}, "human"],
    [true, [], { env: { DEMO_OUTPUT: "json" } }, "json"],
    [false, [], { env: { DEMO_OUTPUT: "human" } }, "human"],
    [true, [], { env: { DEMO_OUTPUT: "" } }, "human"],
    [false, [], { env: { MINE: "human", DEMO_OUTPUT: "json" }, outputVariable: "MINE" }, "human"],
    [true, [], { output: "json" }, "json"],
    [false, [], { output: () => Promise.resolve("human") }, "human"],
    [false, [], { output: "human", env: { DEMO_OUTPUT: "json" } }, "json"],
    [true, ["--human"], { output: () => "json", env: { DEMO_OUTPUT: "json" } }, "human"],
    [
      true,
      [],
      {
        output: () => {
          throw new Error("broken settings");
        },
      },
      "human",
    ],
  ])("terminal %s, %j, %j: %s", async (isTTY, words, options, format) => {
    const { code, stdout } = await runWords(
      registry,
      [...words, ...call],
      { isTTY, columns: 80 },
      { ...options, env: { NO_COLOR: "1", ...options.env } },
    );
    expect([code, isJson(stdout), stdout === forPeople]).toEqual([0, format === "json", format === "human"]);
  });

  it("is decided by stdout alone", async () => {
    const [file, screen] = [createScreen(), createScreen(terminal)];
    await runWords(registry, call, terminal, { stdout: file.stream });
    expect(isJson(file.text())).toBe(true);
    await runWords(registry, call, {}, { stdout: screen.stream, env: { NO_COLOR: "1" } });
    expect(screen.text()).toBe(forPeople);
  });

  it.each([
    [["--output", "xml", ...call], {}, "--output"],
    [call, { DEMO_OUTPUT: "xml" }, "DEMO_OUTPUT"],
  ])("is refused where there is none of that name: %j %j", async (argv, env, source) => {
    const ran = await runWords(registry, argv, {}, { env });
    expect([ran.code, ran.envelope.error, ran.envelope.data["remediation"]]).toEqual([
      2,
      `Cannot use ${source} "xml": there is no such format`,
      `Give ${source} one of auto, json, human.`,
    ]);
  });

  it.each([
    [[], undefined],
    [["--human", "--json"], "json"],
    [["--json", "--output=human"], "human"],
    [["--output", "auto"], "auto"],
    [["--output", "xml", "--human"], "human"],
    [["--output"], undefined],
  ])("of a line that cannot be parsed: %j", (words, format) => {
    expect(findOutputFormat(words)).toBe(format);
  });

  it.each([
    ["notes", "NOTES_OUTPUT"],
    ["my-demo.js", "MY_DEMO_JS_OUTPUT"],
  ])("of %s is set by %s", (name, variable) => {
    expect(toOutputVariable(name)).toBe(variable);
  });
});

describe("on a terminal", () => {
  const run = (argv: readonly string[], options: Partial<CliOptions> = {}) =>
    runWords(registry, argv, terminal, { env: { NO_COLOR: "1" }, ...options });

  it("a failure is an error and a command to try, on stderr", async () => {
    expect(await run(["failing"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "error: Cannot complete task-2: task-1 is open (INVALID_STATE)\ntry: demo tasks complete s TASK_ID\n",
    });
    const { stderr } = await run(["failing"], { env: {} });
    expect(stderr).toContain("\u001b[31merror: Cannot complete task-2: task-1 is open\u001b[39m");
  });

  it("a usage error is one too, and the line that is right can be pasted", async () => {
    expect(await run(["tasks", "complete", "--json", '{"spec_id":"it\'s"}'])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `error: Cannot read --json with a value: it asks for JSON output, and --params
  takes the parameters (INVALID_FORMAT)
try: demo tasks complete --params '{"spec_id":"it'\\''s"}'
`,
    });
  });

  it.each([
    ["--version", "demo 4.5.6\n"],
    ["-v", "demo 4.5.6\n"],
  ])("%s is one line", async (word, expected) => {
    expect(await run([word])).toMatchObject({ code: 0, stdout: expected, stderr: "" });
  });

  it.each([
    [["help", "tasks", "complete"]],
    [["tasks", "help", "complete"]],
    [["help", "tasks"]],
    [["tasks", "help"]],
  ])("%j is help", async (argv) => {
    const words = argv.filter((word) => word !== "help");
    const { stdout } = await run([...words, "--help"]);
    expect(stdout).toMatch(/^Usage: demo tasks /);
    expect(await run(argv)).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  it("the program and a group alone are answered with their help", async () => {
    for (const words of [[], ["tasks"]]) {
      const { stdout: help } = await run([...words, "--help"]);
      expect(await run(words)).toMatchObject({ code: 2, stdout: "", stderr: `${help.trimEnd()}\n` });
    }
  });

  it("the program alone shows its own page", async () => {
    expect(await run([], { home: () => ({ text: "Begin with \u001b[2Jdemo help\n" }) })).toMatchObject({
      code: 0,
      stdout: "Begin with \\x1b[2Jdemo help\n",
      stderr: "",
    });
    const home = async () => ({ argv: call, text: "Next: demo help" });
    expect(await run([], { home })).toMatchObject({
      code: 0,
      stdout: `${forPeople}Next: demo help\n`,
      stderr: "",
    });
    const piped = await runWords(registry, [], {}, { home });
    expect([piped.code, piped.envelope.error]).toEqual([2, "Cannot run demo alone: it needs a command"]);
  });
});

describe("a program command", () => {
  const seen: string[] = [];
  const commands: CliOptions["commands"] = [
    {
      name: "serve",
      run: (_values, { output }) => {
        seen.push(output);
        throw new ContractError("Cannot listen: the port is taken", {
          errorCode: "CONFLICT",
          remediation: "Give another port.",
        });
      },
    },
  ];

  it.each<[boolean, readonly string[], Partial<CliOptions>, string]>([
    [false, [], {}, "json"],
    [true, [], {}, "human"],
    [true, ["--json"], {}, "json"],
    [true, ["--nope", "--json"], {}, "json"],
    [false, ["--output", "human"], {}, "human"],
    [true, [], { env: { DEMO_OUTPUT: "json" } }, "json"],
    [false, [], { output: "human" }, "human"],
  ])("fails as others do: terminal %s, %j, %j: %s", async (isTTY, words, options, format) => {
    seen.length = 0;
    const ran = await runWords(registry, ["serve", ...words], { isTTY }, { commands, ...options });
    expect([isJson(ran.stdout), ran.stdout === "", ran.stderr === ""]).toEqual([
      format === "json",
      format === "human",
      format === "json",
    ]);
    expect(seen).toEqual(words.includes("--nope") ? [] : [format]);
  });
});

describe("--json with a value", () => {
  it.each([
    [["echo-all", "--json", "@a.json"], "demo echo-all --params @a.json"],
    [["--json", "{}", "echo-all"], "demo --params '{}' echo-all"],
    [["echo-all", '--json={"a":1}', "--text", "x"], `demo echo-all --params '{"a":1}' --text x`],
  ])("is refused: %j", async (argv, command) => {
    const ran = await runWords(registry, argv);
    expect([ran.code, ran.envelope.data["remedy"], ran.envelope.data["remediation"]]).toEqual([
      2,
      { command },
      `Write ${command}.`,
    ]);
  });

  it("is no value where an operand follows", async () => {
    const ran = await runWords(registry, ["tasks", "complete", "--json", "s", "t"]);
    expect(ran.envelope.data).toEqual({ spec_id: "s", task_id: "t" });
  });
});

describe("a parameter that is named output", () => {
  const registry = createRegistry({
    name: "demo",
    version: "1.0.0",
    serverTool: false,
    tools: [
      defineTool({
        name: "record",
        version: "1.0.0",
        description: "Record what a program printed",
        input: z.object({ output: z.string() }),
        run: ({ output }) => ({ output }),
      }),
    ],
  });

  it("takes the option --output of its command; the format is chosen by --json and --human", async () => {
    const answer = await runWords(registry, ["record", "--output", "json is not a format here"]);
    expect([answer.code, answer.envelope.data]).toEqual([0, { output: "json is not a format here" }]);
    const shown = await runWords(registry, ["record", "--output", "json", "--human"]);
    expect([shown.code, shown.stdout]).toEqual([0, "json\n"]);
    const before = await runWords(registry, ["--output", "human", "record", "--output", "all green"]);
    expect([before.code, before.stdout]).toEqual([0, "all green\n"]);
    const { stdout } = await runWords(registry, ["record", "--help"]);
    expect(stdout.match(/^ +--output .*$/gm)).toEqual(["  --output <text>         (required)"]);
  });
});
