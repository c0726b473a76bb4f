import type { UnknownRecord } from "@foundry-mcp/contract";
import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { type Action, action, type CliPlacement } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createCommandTree } from "./command-tree.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";

const demo = createCommandTree(createDemoRegistry());
const run = () => ({});

const placed = (...places: (CliPlacement<UnknownRecord> | undefined)[]) =>
  createRegistry({
    name: "r",
    version: "1",
    serverTool: false,
    tools: [
      defineTool({
        name: "one",
        version: "1.0.0",
        description: "One",
        actions: Object.fromEntries(
          places.map((cli, index): [string, Action] => [`a${index}`, action({ run, cli })]),
        ),
      }),
    ],
  });
const plain = (name: string, cli?: CliPlacement<UnknownRecord>) =>
  defineTool({ name, version: "1.0.0", description: name, run, cli });

describe("the commands of a registry", () => {
  it("stand where they are declared, else under their tool", () => {
    const groups = [...demo.groups.values()].map(({ name, summary, commands }) => [
      name,
      summary,
      [...commands].map(
        ([
          word,
          {
            action: { label },
          },
        ]) => `${word}: ${label}`,
      ),
    ]);
    expect(groups).toEqual([
      [
        "tasks",
        "Works on tasks",
        [
          'find: task_list(action="find")',
          'complete: task_list(action="complete")',
          'list: task_list(action="find")',
        ],
      ],
      ["task-list", "Works on tasks", ['tag-all: task_list(action="tag_all")']],
    ]);
    expect([...demo.single.keys()]).toEqual(["echo-all", "odd", "tasks-of"]);
  });

  it.each([
    ["tasks find", "find"],
    ["tasks list", "find"],
    ["tasks-of", "find"],
    ["tasks_of", "find"],
    ["task-list find", "find"],
    ["task_list find", "find"],
    ["task_list search_all", "find"],
    ["task-list search-all", "find"],
    ["todo search-all", "find"],
    ["todo complete", "complete"],
    ["task_list tag_all", "tag_all"],
    ["todo tag-all", "tag_all"],
    ["echo_all", ""],
    ["echo-all", ""],
    ["repeat", ""],
  ])("are found as %s", (words, name) => {
    expect(demo.find(...words.split(" "))?.action.name).toBe(name);
  });

  it.each(["tasks", "task-list", "tasks search-all", "task-list secret", "todo", "echo-all x", "Echo-all"])(
    "are not found as %s",
    (words) => expect(demo.find(...words.split(" "))).toBeUndefined(),
  );

  it("tell a group of one by what that one does", () => {
    const described = defineTool({
      name: "spec",
      version: "1.0.0",
      description: "All about specs",
      actions: {
        check: action({ description: "Checks one", run, cli: { command: "validate check" } }),
        find: action({
          description: "Finds some",
          run,
          cli: { command: "specs find", aliases: ["specs list"] },
        }),
        show: action({ description: "Shows one", run }),
        drop: action({ description: "Drops one", run }),
      },
    });
    const tree = createCommandTree(
      createRegistry({ name: "r", version: "1", serverTool: false, tools: [described] }),
    );
    expect([...tree.groups.values()].map(({ name, summary }) => [name, summary])).toEqual([
      ["validate", "Checks one"],
      ["specs", "Finds some"],
      ["spec", "All about specs"],
    ]);
  });

  it.each([
    ["two of one place", placed({ command: "go far" }, { command: "go far" }), "go far"],
    ["two spellings of one place", placed({ command: "go_far" }, { command: "go-far" }), "go-far"],
    ["an alias of a place", placed({ command: "go far" }, { aliases: ["go far"] }), "go far"],
    ["a place of another action", placed({ command: "one a1" }, undefined), "one a1"],
    ["a group that is a command", placed({ command: "go" }, { command: "go far" }), "go far"],
    ["a command that is a group", placed({ command: "go far" }, { command: "go" }), "go"],
    ["a command of the program", placed({ command: "serve" }), "serve"],
    ["a group named like a command of the program", placed({ command: "completion now" }), "completion now"],
  ])("refuse %s", (_title, registry, words) => {
    let thrown: unknown;
    try {
      createCommandTree(registry, ["serve", "completion"]);
    } catch (err) {
      thrown = err;
    }
    expect(isContractError(thrown)).toBe(true);
    expect(String((thrown as Error).message)).toContain(`on the command line as "${words}"`);
  });

  it.each(["", "one two three", "-x", "a b|c", "--help"])("refuse the place %j", (command) => {
    expect(() => createCommandTree(placed({ command }))).toThrow(/is not one or two words/);
  });

  it("yield with what is only another spelling", () => {
    const registry = createRegistry({
      name: "r",
      version: "1",
      serverTool: false,
      tools: [plain("validate", { command: "validate check" }), plain("serve", { command: "run it" })],
    });
    const tree = createCommandTree(registry, ["serve"]);
    expect(tree.find("validate")).toBeUndefined();
    expect(tree.find("validate", "check")?.tool.name).toBe("validate");
    expect(tree.find("serve")).toBeUndefined();
    expect(tree.find("run", "it")?.tool.name).toBe("serve");
  });
});
