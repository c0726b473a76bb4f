import { isContractError } from "@foundry-mcp/contract";
import type { HomePage } from "@foundry-mcp/toolkit/cli";
import type { OpenWorkspace } from "../app/open-workspace.ts";
import { programName } from "../program/program-name.ts";

/**
 * Returns the text for users who type only the name of the program. The text shows the state of their specs, or how
 * to begin.
 */
export async function toHomePage(workspace: Pick<OpenWorkspace, "location">): Promise<HomePage> {
  try {
    await workspace.location();
  } catch (thrown) {
    if (!isContractError(thrown) || thrown.code !== "NOT_FOUND") throw thrown;
    return { text: shortHelp };
  }
  return { argv: ["specs", "list"], text: nextSteps };
}

const nextSteps = toSteps([
  ["tasks next", "Show the next task"],
  ["specs show SPEC_ID", "Show one spec"],
  ["help", "List all commands"],
]);

const shortHelp = `Plan software as specs, and let people and agents work through their tasks.
There is no workspace in this folder or above it.
${toSteps([
  ["init", "Create a workspace here"],
  ["help", "List all commands"],
  ["help tasks", "List the commands on tasks"],
])}`;

/** Formats commands with their descriptions, after an empty line. */
function toSteps(steps: readonly (readonly [command: string, description: string])[]): string {
  const width = Math.max(...steps.map(([command]) => command.length));
  return ["", ...steps.map(([command, text]) => `  ${programName} ${command.padEnd(width)}  ${text}`)].join(
    "\n",
  );
}
