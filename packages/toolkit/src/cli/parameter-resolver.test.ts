import { ContractError, validationError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import type { CliOptions } from "./cli-options.ts";
import type { FallbackValue, ParameterResolvers } from "./parameter-resolver.ts";
import { runWords } from "./testing/run-words.ts";

const input = z.object({ spec_id: z.string(), task_id: z.string(), note: z.string().optional() });
const cli = (command: string) => ({ command, arguments: ["spec_id", "task_id"] });
const registry = createRegistry({
  name: "demo",
  version: "1.0.0",
  serverTool: false,
  tools: [
    defineTool({
      name: "task",
      version: "1.0.0",
      description: "Tasks",
      actions: {
        complete: action({
          input,
          cli: cli("complete"),
          parameterAliases: { id: "task_id" },
          run: (given) => given,
        }),
        remove: action({ input, cli: cli("remove"), destructive: true, run: (given) => given }),
        add: action({
          input: z.object({
            spec_id: z.string(),
            parent: z.string(),
            title: z.string(),
            note: z.string().optional(),
          }),
          cli: { command: "add", arguments: ["spec_id"] },
          run: (given) => given,
        }),
        purge: action({
          input: input.extend({ confirm: z.literal(true) }),
          cli: cli("purge"),
          destructive: true,
          run: (given) => given,
        }),
        prepare: action({ input: input.partial(), cli: cli("prepare"), run: (given) => given }),
        record: action({
          input: input.extend({ result: z.string() }),
          cli: { command: "record", arguments: ["spec_id", "task_id", "result"] },
          run: (given) => given,
        }),
        execute: action({
          input: input.extend({ argv: z.array(z.string()).optional() }),
          cli: { command: "execute", arguments: ["spec_id", "task_id", "argv"] },
          run: (given) => given,
        }),
        free: action({ input: input.partial(), cli: { command: "free" }, run: (given) => given }),
      },
    }),
  ],
});

const specs: Readonly<Record<string, readonly string[]>> = {
  "tides-1": ["task-1-1", "task-1-10", "verify-1-1", "odd"],
  "tides-10": ["task-2-1"],
  "cranes-1": ["task-3-1"],
};
const withOnly = (fallback: FallbackValue | undefined): ParameterResolvers => ({
  spec_id: {
    find: async (prefix) => Object.keys(specs).filter((id) => id.startsWith(prefix)),
    fallback: async ({ isRequired }) => (isRequired ? fallback : undefined),
  },
  task_id: {
    isWhole: (text) => /^(task|verify)(-\d+)+$/.test(text),
    find: async (prefix, { spec_id = fallback?.value }) =>
      (specs[String(spec_id)] ?? []).filter((id) => id.startsWith(prefix)),
    findNamed: async (title) => (title === "Draw the tides" ? "task-1-10" : undefined),
  },
});
const resolvers = withOnly({ value: "tides-1", reason: "the only one" });
const run = (line: string, options: Partial<CliOptions> = {}) =>
  runWords(registry, line.split(" "), {}, { resolvers, ...options });
const byFallback = "resolved: spec_id is tides-1, the only one\n";

describe("values that are known", () => {
  it.each<[string, object, string]>([
    ["complete cranes-1 task-3-1", { spec_id: "cranes-1", task_id: "task-3-1" }, ""],
    [
      "complete c task-3-1",
      { spec_id: "cranes-1", task_id: "task-3-1" },
      "resolved: spec_id c is cranes-1\n",
    ],
    // An existing value takes precedence over longer values that begin with it.
    ["complete tides-1 odd", { spec_id: "tides-1", task_id: "odd" }, ""],
    [
      "complete tides-1 v",
      { spec_id: "tides-1", task_id: "verify-1-1" },
      "resolved: task_id v is verify-1-1\n",
    ],
    // A text with the form of a whole value is used unchanged.
    ["complete tides-1 task-1", { spec_id: "tides-1", task_id: "task-1" }, ""],
    ["complete tides-1 nope", { spec_id: "tides-1", task_id: "nope" }, ""],
    ["complete task-1-1", { spec_id: "tides-1", task_id: "task-1-1" }, byFallback],
    [
      "record task-1-1 --result passed",
      { spec_id: "tides-1", task_id: "task-1-1", result: "passed" },
      byFallback,
    ],
    ["record task-1-1 passed", { spec_id: "tides-1", task_id: "task-1-1", result: "passed" }, byFallback],
    [
      "record c task-3-1 passed",
      { spec_id: "cranes-1", task_id: "task-3-1", result: "passed" },
      "resolved: spec_id c is cranes-1\n",
    ],
    [
      "record --spec-id cranes-1 task-3-1 --result passed",
      { spec_id: "cranes-1", task_id: "task-3-1", result: "passed" },
      "",
    ],
    [
      "execute task-1-1 npm test",
      { spec_id: "tides-1", task_id: "task-1-1", argv: ["npm", "test"] },
      byFallback,
    ],
    [
      "record task-1-1 task-1-10",
      { spec_id: "tides-1", task_id: "task-1-1", result: "task-1-10" },
      byFallback,
    ],
    ["execute task-1-1", { spec_id: "tides-1", task_id: "task-1-1" }, byFallback],
    [
      "execute cranes-1 task-3-1 npm test",
      { spec_id: "cranes-1", task_id: "task-3-1", argv: ["npm", "test"] },
      "",
    ],
    ["complete o", { spec_id: "tides-1", task_id: "odd" }, `${byFallback}resolved: task_id o is odd\n`],
    ["complete --task-id task-1-1", { spec_id: "tides-1", task_id: "task-1-1" }, byFallback],
    [
      "complete --id o --spec-id tides-1",
      { spec_id: "tides-1", task_id: "odd" },
      "resolved: task_id o is odd\n",
    ],
    [
      "complete task-3-1 --spec-id c",
      { spec_id: "cranes-1", task_id: "task-3-1" },
      "resolved: spec_id c is cranes-1\n",
    ],
    [
      "complete c --task-id task-3-1",
      { spec_id: "cranes-1", task_id: "task-3-1" },
      "resolved: spec_id c is cranes-1\n",
    ],
    ['complete --params {"spec_id":"c","task_id":"x"}', { spec_id: "c", task_id: "x" }, ""],
    // If both arguments may be left out, an operand is the second argument only if it has the form of a whole
    // value.
    ["prepare", {}, ""],
    ["prepare c", { spec_id: "cranes-1" }, "resolved: spec_id c is cranes-1\n"],
    ["prepare task-1-1", { spec_id: "tides-1", task_id: "task-1-1" }, byFallback],
    // An action that takes the parameter only as an option gets no resolved value.
    ["free", {}, ""],
    ["remove cranes-1 task-3-1", { spec_id: "cranes-1", task_id: "task-3-1" }, ""],
    ["remove tides-1 odd", { spec_id: "tides-1", task_id: "odd" }, ""],
    ["remove x nope", { spec_id: "x", task_id: "nope" }, ""],
  ])("%s", async (line, data, notes) => {
    const { code, envelope, stderr } = await run(line);
    expect([code, envelope.data, stderr]).toEqual([0, data, notes]);
  });

  it.each([
    ["remove c task-3-1", "spec_id", "c", "cranes-1", "remove cranes-1 task-3-1"],
    ["remove tides-1 o", "task_id", "o", "odd", "remove tides-1 odd"],
    ["remove c", "spec_id", "c", "cranes-1", "remove cranes-1"],
    [
      "remove --spec-id c --note x --task-id task-3-1",
      "spec_id",
      "c",
      "cranes-1",
      "remove --spec-id cranes-1 --note x --task-id task-3-1",
    ],
  ])("are whole in a destructive command: %s", async (line, field, received, expected, command) => {
    const { code, envelope } = await run(line);
    expect([code, envelope.error, envelope.data]).toEqual([
      2,
      `Cannot take "${received}" as ${field}: a command that may delete something needs the whole id`,
      {
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: `Use ${expected}: demo ${command}.`,
        remedy: { command: `demo ${command}` },
        details: { field, constraint: "whole", expected, received },
      },
    ]);
  });

  it.each([
    ["purge c task-3-1", "purge cranes-1 task-3-1 --confirm"],
    ["purge c task-3-1 --confirm", "purge cranes-1 task-3-1 --confirm"],
  ])("are whole and confirmed in the command that is suggested: %s", async (line, command) => {
    expect((await run(line)).envelope.data["remedy"]).toEqual({ command: `demo ${command}` });
  });

  it.each([
    [["purge", "tides-1", "task-1-1"], "purge tides-1 task-1-1 --confirm"],
    [["purge", "task-1-1"], "purge tides-1 task-1-1 --confirm"],
    [["purge", "tides-1", "Draw the tides"], "purge tides-1 task-1-10 --confirm"],
    [["purge", "Draw the tides"], "purge tides-1 task-1-10 --confirm"],
    [["purge", "tides-1"], "purge tides-1 TASK_ID --confirm"],
    [["purge"], "purge SPEC_ID TASK_ID --confirm"],
  ])("are whole in the one command that a missing confirmation suggests: %j", async (argv, command) => {
    const resolvers = withOnly({ value: "tides-1", reason: "the only one" });
    const { stderr } = await runWords(registry, [...argv, "--human"], {}, { resolvers });
    expect(stderr).toContain(`try: demo ${command}\n`);
  });

  it.each([
    ["add", "add tides-1"],
    ["add --note x", "add tides-1 --note x"],
  ])("are written into the command where the user has to choose: %s", async (line, command) => {
    const choice = () =>
      validationError({ field: "spec_id", constraint: "required", expected: ["tides-1", "tides-10"] });
    const { spec_id, task_id } = withOnly(undefined);
    const fallback = () => Promise.reject(choice());
    const resolvers = { spec_id: { ...spec_id, fallback }, task_id } as ParameterResolvers;
    const { code, stdout } = await runWords(registry, line.split(" "), {}, { resolvers });
    expect([code, JSON.parse(stdout).data["remedy"]]).toEqual([1, undefined]);
    const { stderr } = await runWords(registry, [...line.split(" "), "--human"], {}, { resolvers });
    expect(stderr).toContain(`\ntry: demo ${command} --human\n`);
  });

  it.each([
    [["add", "Draw"], "add tides-1 --parent PARENT --title Draw"],
    [["add", "Draw", "--parent", "p"], "add tides-1 --parent p --title Draw"],
    [["add", "tides-10", "p", "Draw", "it"], "add tides-10 --parent p --title 'Draw it'"],
    [["add", "tides-10", "Draw"], "add tides-10 --parent PARENT --title Draw"],
  ])("are not taken for the missing text: %j", async (argv, command) => {
    const resolvers = withOnly({ value: "tides-1", reason: "the only one" });
    const { stderr } = await runWords(registry, ["--human", ...argv], {}, { resolvers });
    expect(stderr).toContain(`try: demo ${command}\n`);
  });

  it.each([
    // The id is refused before anything else, so that no remedy repeats it.
    ["remove t task-1-1", "spec_id", "t", ["tides-1", "tides-10"]],
    ["remove tides", "spec_id", "tides", ["tides-1", "tides-10"]],
  ])("are listed in a destructive command: %s", async (line, field, received, expected) => {
    const { code, envelope } = await run(line);
    expect([code, envelope.error, envelope.data]).toEqual([
      2,
      `Cannot take "${received}" as ${field}: a command that may delete something needs the whole id, and 2 begin with it`,
      {
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: `Use one of: ${expected.join(", ")}.`,
        details: { field, constraint: "whole", expected, received },
      },
    ]);
  });

  it("names the second argument where only the beginning of the first is given", async () => {
    const { code, envelope } = await run("complete cranes");
    expect([code, envelope.data]).toMatchObject([
      1,
      { error_code: "MISSING_REQUIRED", details: { field: "task_id", constraint: "required" } },
    ]);
  });

  it.each([
    ["complete task-1-1 task-1-10", 2, "complete task-1-1"],
    ["complete task-1-1 task-1-10 verify-1-1", 3, "complete task-1-1"],
    ["complete tides-1 task-1-1 task-1-10", 2, "complete tides-1 task-1-1"],
    ["prepare task-1-1 task-1-10", 2, "prepare task-1-1"],
  ])("are refused where one is taken: %s", async (line, received, command) => {
    const { code, envelope } = await run(line);
    const ids = line.split(" ").slice(-received);
    expect([code, envelope.error, envelope.data]).toEqual([
      2,
      `demo ${line.split(" ")[0]} takes one task_id: ${ids.map((id) => `"${id}"`).join(", ")} were given`,
      {
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: `Run it for each of them, beginning with demo ${command}.`,
        remedy: { command: `demo ${command}` },
        details: { field: "task_id", constraint: "maximum", expected: 1, received },
      },
    ]);
  });

  it.each([
    // This operand is a whole value of the first argument.
    ["complete tides-1", "task_id"],
    ["remove task-1-1", "task_id"],
  ])("%s lacks %s", async (line, field) => {
    const { code, envelope } = await run(line);
    expect([code, envelope.data["error_code"], envelope.data["details"]]).toEqual([
      1,
      "MISSING_REQUIRED",
      { field, constraint: "required", received: null },
    ]);
  });

  it("are listed where several begin alike, the nearest first", async () => {
    const { code, envelope } = await run("complete t task-1-1");
    expect([code, envelope.error, envelope.data]).toEqual([
      2,
      'Cannot tell which spec_id "t" means: 2 begin with it',
      {
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: "Write more of it, or one of: tides-1, tides-10.",
        details: {
          field: "spec_id",
          constraint: "ambiguous",
          expected: ["tides-1", "tides-10"],
          received: "t",
        },
      },
    ]);
  });

  it("are asked for where none is meant", async () => {
    const { envelope } = await run("complete task-1-1", { resolvers: withOnly(undefined) });
    expect(envelope.data["details"]).toEqual({ field: "spec_id", constraint: "required", received: null });
    const refuse = async () => {
      throw new ContractError("Cannot choose: two are active", { errorCode: "MISSING_REQUIRED" });
    };
    const { spec_id, task_id } = resolvers as { [name: string]: NonNullable<ParameterResolvers[string]> };
    const refused = await run("complete task-1-1", {
      resolvers: { spec_id: { ...spec_id!, fallback: refuse }, task_id: task_id! },
    });
    expect([refused.code, refused.envelope.error]).toEqual([1, "Cannot choose: two are active"]);
  });

  it("may be left out, says help", async () => {
    expect((await run("complete --help")).stdout).toMatch(
      /^Usage: demo complete \[options\] \[spec_id\] <task_id>\n/,
    );
    expect((await run("remove --help")).stdout).toMatch(
      /^Usage: demo remove \[options\] <spec_id> <task_id>\n/,
    );
  });

  it.each([
    ["__complete 2 demo complete", "task-1-1 task-1-10 verify-1-1 odd tides-1 tides-10 cranes-1"],
    ["__complete 2 demo complete ti", "tides-1 tides-10"],
    ["__complete 2 demo complete ta", "task-1-1 task-1-10"],
    ["__complete 3 demo complete cranes-1", "task-3-1"],
    ["__complete 3 demo complete --spec-id c", "cranes-1"],
    ["__complete 5 demo complete --note x cranes-1", "task-3-1"],
    ["__complete 2 demo remove", "tides-1 tides-10 cranes-1"],
    ["__complete 3 demo complete --output", "auto json human"],
    ["__complete 2 demo watch c", "cranes-1"],
    ["__complete 2 demo watch", "tides-1 tides-10 cranes-1"],
  ])("complete: %s", async (line, values) => {
    const watch = { name: "watch", arguments: [{ name: "spec_id", description: "" }], run: () => {} };
    const { code, stdout } = await run(line, { commands: [watch] });
    expect([code, stdout]).toEqual([0, values.replaceAll(" ", "\n").concat("\n")]);
  });

  it("are whole for a program command", async () => {
    const seen: unknown[] = [];
    const watch = {
      name: "watch",
      arguments: [{ name: "spec_id", description: "" }],
      run: (values: object) => void seen.push(values),
    };
    await run("watch c", { commands: [watch] });
    expect(seen).toEqual([{ spec_id: "cranes-1" }]);
  });
});
