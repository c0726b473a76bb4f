import { describe, expect, it } from "vitest";
import { shownOptions, toCliOptions, toKebab } from "./cli-option.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";

const registry = createDemoRegistry();
const optionsOf = (tool: string, action = "") =>
  toCliOptions(registry.tools.find(({ name }) => name === tool)!.findAction(action)!);
const flagsOf = (tool: string, action?: string) =>
  Object.fromEntries(
    optionsOf(tool, action).map(({ key, flags, negations }) => [key, [...flags, ...negations]]),
  );

describe("the options of an action", () => {
  it("are its parameters in kebab-case and in their own spelling", () => {
    expect(flagsOf("task_list", "complete")).toEqual({
      spec_id: ["--spec-id", "--spec_id"],
      task_id: ["--task-id", "--task_id"],
      note: ["--note"],
      max_tokens: ["--max-tokens", "--max_tokens"],
      // The other spellings of this alias are options of the parameter itself.
      taskId: ["--taskId"],
      id: ["--id"],
    });
  });

  it("say no where they are true or false", () => {
    expect(flagsOf("echo_all")["is_open"]).toEqual([
      "--is-open",
      "--is_open",
      "--no-is-open",
      "--no-is_open",
    ]);
    expect(flagsOf("echo_all")["count"]).toEqual(["--count"]);
  });

  it("leave every name to its owner", () => {
    expect(flagsOf("odd")).toEqual({
      timeout: ["--arg-timeout"],
      json: ["--arg-json"],
      help: ["--arg-help", "--no-arg-help"],
      // --no-cache could negate `cache` or name `no_cache`, so neither parameter gets this flag.
      no_cache: ["--arg-no-cache", "--no_cache", "--no-arg-no-cache", "--no-no_cache"],
      cache: ["--cache", "--arg-cache", "--no-arg-cache"],
      noteId: ["--note-id", "--noteId"],
      note_id: ["--note_id"],
      "with space": [],
      テキスト: ["--テキスト"],
      max_tokens: ["--max-tokens", "--max_tokens"],
    });
  });

  it("never share a spelling", () => {
    for (const { actions } of registry.tools)
      for (const action of actions.values()) {
        const all = toCliOptions(action).flatMap(({ flags, negations, contested }) => [
          ...flags,
          ...negations,
          ...contested,
        ]);
        expect(new Set(all).size).toBe(all.length);
      }
  });

  it("are shown once each, the budget last", () => {
    const shown = shownOptions(optionsOf("task_list", "complete")).map(({ key }) => key);
    expect(shown).toEqual(["spec_id", "task_id", "note", "max_tokens"]);
  });
});

it("writes names as a shell has them", () => {
  expect(["min_rank", "minRank", "HTTPPort", "x1Y", "ランク", "already-so"].map(toKebab)).toEqual([
    "min-rank",
    "min-rank",
    "httpport",
    "x1-y",
    "ランク",
    "already-so",
  ]);
});
