import { expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { runWords } from "./testing/run-words.ts";

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
        create: action({
          input: z.object({ name: z.string(), status: z.string().optional() }),
          cli: { command: "create", arguments: ["name"] },
          run: (given) => given,
        }),
        add: action({
          input: z.object({ spec_id: z.string(), title: z.string(), note: z.string().optional() }),
          cli: { command: "add", arguments: ["spec_id"] },
          run: (given) => given,
        }),
        move: action({
          input: z.object({ to: z.enum(["active", "archived"]) }),
          cli: { command: "move", arguments: ["to"] },
          run: (given) => given,
        }),
        read: action({
          input: z.object({ text: z.string() }),
          cli: { command: "read", arguments: ["text"], files: ["text"] },
          run: (given) => given,
        }),
        list: action({ cli: { command: "list" }, run: () => ({}) }),
      },
    }),
  ],
});
const run = (...words: readonly string[]) => runWords(registry, words);

it.each<[readonly string[], string, string, string]>([
  [["create", "Fix", "login"], "name", "Write name in quotes", "demo create 'Fix login'"],
  [
    ["create", "Fix", "the", "login", "--status", "active"],
    "name",
    "Write name in quotes",
    "demo create 'Fix the login' --status active",
  ],
  [
    ["create", "--status", "active", "It's", "late"],
    "name",
    "Write name in quotes",
    "demo create --status active 'It'\\''s late'",
  ],
  [["add", "s", "Parse tables"], "spec_id", "Give title as an option", "demo add s --title 'Parse tables'"],
  [
    ["add", "s", "Parse", "tables", "--note", "x"],
    "spec_id",
    "Give title as an option",
    "demo add s --title 'Parse tables' --note x",
  ],
])("%j: the error shows the command with the text in quotes", async (words, taken, advice, command) => {
  const { code, envelope } = await run(...words);
  expect([code, envelope.data["remediation"], envelope.data["remedy"]]).toEqual([
    2,
    `${advice}: ${command}.`,
    { command },
  ]);
  expect(envelope.error).toContain(` takes ${taken} as arguments: `);
});

it.each<readonly [string, ...string[]]>([
  ["add", "s", "x", "--title", "given"],
  ["move", "active", "archived"],
  ["read", "a.txt", "b.txt"],
  ["list", "x"],
])("%s %s %s: nothing is quoted that is no text", async (command, ...words) => {
  const { code, envelope } = await run(command, ...words);
  expect([code, envelope.data["remediation"], envelope.data["remedy"]]).toEqual([
    2,
    `Leave it out; demo ${command} --help lists the options.`,
    undefined,
  ]);
});
