import { describe, expect, it } from "vitest";
import { createCommandTree } from "./command-tree.ts";
import { toCandidates } from "./complete.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { runWords } from "./testing/run-words.ts";

const registry = createDemoRegistry();
const tree = createCommandTree(registry);
const commands = [{ name: "serve", run: () => {} }];
const program = {
  name: "demo",
  command: "demo",
  about: "",
  version: "1",
  registry,
  tree,
  commands,
  options: [],
  resolvers: {},
};
/** Lists the completions of the last word. */
const complete = async (...words: string[]) =>
  (await toCandidates(program, ["demo", ...words], words.length)).map(({ value }) => value);

describe("completion", () => {
  it.each<[string[], string[]]>([
    [[""], ["tasks", "task-list", "echo-all", "odd", "tasks-of", "serve", "completion"]],
    [["ta"], ["tasks", "task-list", "tasks-of"]],
    [
      ["tasks", ""],
      ["find", "complete", "list"],
    ],
    [["tasks", "f"], ["find"]],
    [["--human", "tasks", "f"], ["find"]],
    [["--timeout", "3", "tasks", "f"], ["find"]],
    [["--timeout", ""], []],
    [["--ver"], ["--version"]],
    [
      ["tasks", "--h"],
      ["--human", "--help"],
    ],
    [["nothing-such", ""], []],
    [["tasks", "nothing-such", ""], []],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["tasks", "find", "--st"], ["--status"]],
    [
      ["tasks", "find", "--status", ""],
      ["active", "done"],
    ],
    [["tasks", "find", "--status", "a"], ["active"]],
    [["tasks", "find", "--status=a"], ["--status=active"]],
    [
      ["tasks", "find", "--status", "="],
      ["active", "done"],
    ],
    [["tasks", "find", "--status", "=", "d"], ["done"]],
    [["tasks", "find", "--limit", ""], []],
    [["tasks", "find", "--status", "active", "--s"], []],
    [["tasks", "find", "--status=active", "--s"], []],
    [["todo", "search_all", "--st"], ["--status"]],
    [
      ["tasks", "complete", "--t"],
      ["--task-id", "--timeout"],
    ],
    [["tasks", "complete", ""], []],
    [
      ["echo-all", "--size", ""],
      ["small", "large"],
    ],
    [
      ["echo-all", "--level", ""],
      ["1", "2"],
    ],
    [["echo-all", "--is"], ["--is-open"]],
    [["echo-all", "--no"], ["--no-is-open"]],
    [["echo-all", "--tags", "a", "--ta"], ["--tags"]],
    [["echo-all", "--params", ""], []],
    [["echo-all", "--arg"], []],
    [
      ["odd", "--arg"],
      ["--arg-timeout", "--arg-json", "--arg-help", "--arg-no-cache"],
    ],
  ])("%j", async (words, values) => {
    expect(await complete(...words)).toEqual(values);
  });

  it("offers the options of a command that takes no argument", async () => {
    const all = await complete("tasks", "find", "");
    expect(all).toEqual([
      "--status",
      "--limit",
      "--cursor",
      "--max-tokens",
      "--output",
      "--human",
      "--json",
      "--timeout",
      "--request-id",
      "--params",
      "--help",
    ]);
  });

  it("is asked for by a shell with a line for each, described behind a tab", async () => {
    const { code, stdout, stderr } = await runWords(registry, ["__complete", "2", "demo", "tasks", "f"]);
    expect([code, stdout, stderr]).toEqual([0, "find\tTasks in the order of their ids\n", ""]);
  });

  it("gives a shell nothing where it cannot", async () => {
    const broken = () => {
      throw new Error("no registry");
    };
    const { code, stdout } = await runWords(broken, ["__complete", "1", "demo", ""]);
    expect([code, stdout]).toEqual([1, ""]);
    expect((await runWords(registry, ["__complete"])).stdout).not.toContain("{");
  });

  it("has a script for every shell", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await runWords(registry, ["completion", shell], {}, { name: "my-demo" });
      expect([code, stdout]).toEqual([0, expect.stringContaining("_my_demo_complete")]);
      expect(stdout).toContain("__complete");
    }
  });

  it("is explained with the command that started the program", async () => {
    const options = { name: "my-demo", command: "npx my-demo" };
    const refused = await runWords(registry, ["completion", "--json"], {}, options);
    expect(refused.stdout).toContain("Run npx my-demo completion bash.");
    const { stdout } = await runWords(registry, ["completion", "--help"], {}, options);
    expect(stdout).toBe(`Usage: npx my-demo completion <shell>

Print a shell script that completes commands, options and values when you press
Tab: for my-demo, with and without npx.

Arguments:
  shell  Shell that runs the script: bash, zsh or fish

Examples:
  # bash
  npx my-demo completion bash > ~/.my-demo.bash
  echo 'source ~/.my-demo.bash' >> ~/.bashrc
  # zsh, after compinit
  npx my-demo completion zsh > ~/.my-demo.zsh
  echo 'source ~/.my-demo.zsh' >> ~/.zshrc
  # fish
  npx my-demo completion fish > ~/.config/fish/conf.d/my-demo.fish
`);
  });
});
