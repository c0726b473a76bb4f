/**
 * Writes docs/reference/tools.md, docs/reference/cli.md and docs/guides/from-foundry-mcp.md from the declarations of the tools that ship.
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
import { referenceCalls } from "#built/foundry/app/reference/reference-calls.js";
import { roles } from "#built/foundry/app/roles.js";
import { createProgramCommands, createProgramOptions } from "#built/foundry/cli/program-commands.js";
import { UsedSettings } from "#built/foundry/config/used-settings.js";
import { toCliReference } from "./cli-reference.ts";

/** Where the reference stands, from the root of the repository. */
export const toolReferencePath = "docs/reference/tools.md";

/** Where the reference of the command line stands. */
export const cliReferencePath = "docs/reference/cli.md";

/** Where the guide for users of the Python foundry-mcp stands. */
export const switchingGuidePath = "docs/guides/from-foundry-mcp.md";

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

const switchingHead = `# Moving from foundry-mcp (Python)

${mark}

Your spec files work as they are: put them in \`specs/pending\`, \`active\`, \`completed\` and \`archived\`, and start the server. A change
touches only the lines that it must, so unknown fields, key order and number formats stay.

- **Calls:** agents that were told the names of the Python server go on: the names and parameters of this page are understood. They
  are not listed in \`tools/list\`, and cost no tokens. For a client that calls only what is listed, start the server with \`--tools reference\`.
- **Answers** have the envelope and the keys of this server. A failure says in \`data.remediation\` what to do.
- **Destructive calls** (\`task\` remove, \`authoring\` phase-remove and spec-rollback, \`research\` delete) need \`confirm: true\`.
- **Positions** count from 0 everywhere. The Python server counts those of \`move\` and \`phase-move\` from 1.
- **Errors on the command line** are on stdout, as one line of JSON. The Python command line writes them to stderr.
- **\`workspace\`:** a server has one; naming it is accepted, naming another one is refused.
- **No backups folder:** every change can be listed, compared and taken back: [undo](undo.md).

Actions that are not in the tables have the same name and parameters on both servers.

## What is understood

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

/** The text of the guide for users of the Python foundry-mcp. */
export function renderSwitchingGuide(): string {
  const answered = referenceCalls.flatMap(({ tool, action, to, set, parameters = {} }) => {
    if (typeof to === "string") return [];
    const given = Object.entries(set ?? {}).map(([name, value]) => `, ${name}=${JSON.stringify(value)}`);
    const [ours, ourAction] = to;
    const names = Object.entries(parameters).map(([name, here]) =>
      typeof here === "string" ? `\`${name}\` is \`${here}\`` : `\`${name}\``,
    );
    const call = `${ours}(action="${ourAction}"${given.join("")})`;
    return [`| \`${tool}\` | \`${action}\` | \`${call}\` | ${names.join(", ")} |`];
  });
  const refused = referenceCalls.flatMap(({ tool, action, to }) =>
    typeof to === "string" ? [`| \`${tool}\` | \`${action}\` | ${to} |`] : [],
  );
  const answeredHead = ["| tool | action | answered by | further parameters |", "| --- | --- | --- | --- |"];
  const refusedHead = ["| tool | action | why, and what to use |", "| --- | --- | --- |"];
  return `${switchingHead}${[...answeredHead, ...answered].join("\n")}

## What is refused

${[...refusedHead, ...refused].join("\n")}
`;
}

/** Declarations are read, and nothing is called. */
function unused(): never {
  throw new Error("The reference calls nothing");
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync(toolReferencePath, renderToolReference());
  writeFileSync(cliReferencePath, await renderCliReference());
  writeFileSync(switchingGuidePath, renderSwitchingGuide());
}
