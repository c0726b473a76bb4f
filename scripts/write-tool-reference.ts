/**
 * Writes docs/reference/tools.md and docs/reference/cli.md from the declarations of the tools that ship.
 *
 * Run with `npx tsc -b && node .build/scripts/write-tool-reference.js`.
 */

import { writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { createRegistry, toReference } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { createTools } from "#built/foundry/app/create-tools.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { roles } from "#built/foundry/app/roles.js";
import { createProgramCommands, createProgramOptions } from "#built/foundry/cli/program-commands.js";
import { UsedSettings } from "#built/foundry/config/used-settings.js";
import { toCliReference } from "./cli-reference.ts";

/** Where the reference stands, from the root of the repository. */
export const toolReferencePath = "docs/reference/tools.md";

/** Where the reference of the command line stands. */
export const cliReferencePath = "docs/reference/cli.md";

const command = "npx tsc -b && node .build/scripts/write-tool-reference.js";
const mark = `<!-- Written by scripts/write-tool-reference.ts; do not edit. To write it anew: ${command} -->`;

const toolHead = `# Tools

${mark}

\`foundry-mcp\` serves \`spec\` and \`task\`, and with \`--tools all\` also \`authoring\`, \`lifecycle\`, \`journal\`,
\`verification\`, \`review\` and \`research\`.
Every server that is made with the toolkit has the tool \`server\`, unless it says \`serverTool: false\`, and one that keeps
what its answers leave out has \`content\`. The page is written from their declarations, as \`toReference(registry)\` writes
one for the tools of your own server.

What is listed under "Gives" is always there; answers may have more. What the words mean:
[the spec file](spec-file.md). The same on the command line: [cli](cli.md).

`;

const cliHead = `# foundry-cli

${mark}

Every command of \`foundry-cli\`, from the help that it gives itself: \`foundry-cli COMMAND --help\`. How to write values, files
and JSON, and what \`--human\` shows: [the command line](../guides/command-line.md). The server alone, over stdio, is
\`foundry-mcp\`; it takes the [settings](configuration.md#foundrytoml) as options.

- **stdout** has the answer: one envelope on one line, of failures too. With \`--human\` it is text for people.
- **stderr** has notes and progress, and of \`serve\` the log.
- **Exit codes:** 0 for a success, 1 for a failure, 2 for a line that makes no call, 130 for Ctrl-C and SIGTERM:
  [exit codes](../guides/command-line.md#exit-codes).
- **Environment:** \`FOUNDRY_SPECS_DIR\` is \`--specs-dir\`; every other setting has
  [a variable](configuration.md#foundrytoml) too. \`FOUNDRY_TOKEN\` is the token that \`serve\` asks of its clients.
  \`FORCE_COLOR\`, \`NO_COLOR\` and \`TERM\` are [about colours](configuration.md#environment).

Some commands have a second name, which older scripts use; they are the same command. \`specs find\` lists the specs, as it
always did; the one spec that \`spec(action="find")\` looks for is found by \`specs locate\`.

Options of every command:

`;

const services = {
  running: { programs: unused, folder: unused, outputs: unused },
  reviewing: { folder: unused, specsFolder: unused },
  openResearch: unused,
};

/** The text of the reference. */
export function renderToolReference(): string {
  const registry = createRegistry({
    name: "foundry-mcp",
    version: "0.1.0",
    roles,
    tools: createTools({ store: unused }, "all", services),
    budget: { archive: createMemoryArchive() },
  });
  return `${toolHead}${toReference(registry).trimEnd()}\n`;
}

/** The text of the reference of the command line. */
export async function renderCliReference(): Promise<string> {
  const registry = createCliRegistry({ load: unused, cwd: ".", workspace: openWorkspace(unused, ".") });
  const text = await toCliReference({
    registry,
    commands: createProgramCommands({ load: unused, flags: {}, cwd: ".", used: new UsedSettings() }),
    options: createProgramOptions({}),
  });
  return `${cliHead}${text}\n`;
}

/** Declarations are read, and nothing is called. */
function unused(): never {
  throw new Error("The reference calls nothing");
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync(toolReferencePath, renderToolReference());
  writeFileSync(cliReferencePath, await renderCliReference());
}
