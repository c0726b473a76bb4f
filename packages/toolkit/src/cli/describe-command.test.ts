import type { Remedy } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createCommandTree } from "./command-tree.ts";
import { createCommandWriter } from "./describe-command.ts";

const notes = defineTool({
  name: "note",
  version: "1.0.0",
  description: "Notes",
  actions: {
    add: action({
      description: "Add a note",
      input: z.object({
        title: z.string(),
        tags: z.array(z.string()).optional(),
        pinned: z.boolean().optional(),
      }),
      cli: { command: "notes add", arguments: ["title"] },
      run: () => ({}),
    }),
    rate: action({
      description: "Rate a note",
      input: z.object({
        mark: z.enum(["good", "bad"]),
        kinds: z.array(z.enum(["a", "b"])),
        letter: z.enum(["a", "b", "c", "d", "e", "f", "g"]),
        level: z.literal([1, 2]),
      }),
      cli: { command: "notes rate", arguments: ["mark"] },
      run: () => ({}),
    }),
    sync: action({ description: "Sync notes", cli: false, run: () => ({}) }),
  },
});
const registry = createRegistry({ name: "notes", version: "1.0.0", tools: [notes] });
const program = {
  name: "notes-cli",
  command: "notes-cli",
  version: "1.0.0",
  registry,
  tree: createCommandTree(registry),
};

describe("createCommandWriter", () => {
  it.each<[string, Remedy, string]>([
    [
      "a call",
      { tool: "note", action: "add", arguments: { title: "it's late" } },
      "notes-cli notes add 'it'\\''s late'",
    ],
    [
      "what the user knows",
      { tool: "note", action: "add", needs: ["title", "tags"] },
      "notes-cli notes add TITLE --tags TAGS",
    ],
    [
      "the values to choose from, if they are a few words",
      { tool: "note", action: "rate", needs: ["mark", "kinds", "letter", "level"] },
      `notes-cli notes rate 'good|bad' --kinds 'a|b' --letter LETTER --level LEVEL`,
    ],
    [
      "a flag",
      { tool: "note", action: "add", arguments: { title: "a", pinned: true } },
      "notes-cli notes add a --pinned",
    ],
    ["an action without a command", { tool: "note", action: "sync" }, 'note(action="sync")'],
    [
      "a tool of another server",
      { tool: "mail", action: "send", needs: ["to"] },
      'mail(action="send", to=…)',
    ],
    ["a command", { command: "npm install pg" }, "npm install pg"],
    ["a wait", { wait: 5 }, "5 seconds"],
    ["a setting", { setting: "tools" }, "tools"],
  ])("writes %s", (_name, remedy, text) => {
    expect(createCommandWriter(program as never)(remedy)).toBe(text);
  });

  it("repeats the program options of the line, but no address", () => {
    const remedy = { tool: "note", action: "add", arguments: { title: "a" } };
    expect(createCommandWriter(program as never, ["--folder", "my notes"])(remedy)).toBe(
      "notes-cli notes add a --folder 'my notes'",
    );
    expect(createCommandWriter(program as never, ["--store", "db://ann:secret@host"])(remedy)).toBe(
      "notes-cli notes add a",
    );
  });
});
