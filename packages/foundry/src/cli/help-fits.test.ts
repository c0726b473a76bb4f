import { PassThrough } from "node:stream";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { runCli } from "@foundry-mcp/toolkit/cli";
import { expect, it } from "vitest";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { commandGroups } from "./command-groups.ts";
import { createProgramCommands } from "./program-commands.ts";

const workspace = { research: {}, archive: createMemoryArchive() };
const registry = createCliRegistry({ load: undefined, cwd: "", workspace } as never);

it("shows all commands on the last 24 rows of a terminal, one on each row", async () => {
  const stdout = Object.assign(new PassThrough(), { columns: 80, isTTY: true });
  const options = { groups: commandGroups, commands: createProgramCommands({} as never) };
  await runCli(registry, { name: "foundry-cli", argv: ["--help"], signals: false, stdout, ...options });
  const text = String(stdout.read());
  const rows = text.trimEnd().split("\n").slice(-23);
  expect(text.split("\nCommands:\n")[1]?.trimEnd().split("\n")).toEqual(rows);
  expect(rows.map((row) => /^ {2}(\S+) +\S/.exec(row)?.[1])).toEqual([
    ...Object.keys(commandGroups).filter((name) => commandGroups[name] !== ""),
    "completion",
  ]);
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
});
