import { validationError } from "@foundry-mcp/contract";
import { suggest } from "@foundry-mcp/toolkit";
import type { Parameter } from "../arguments/parameters.ts";
import type { CallsFile } from "./calls-file.ts";

/** A tool as far as its names go. */
interface NamedTool {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Refuses calls of tools that the server does not list: a misspelt one would pass for a refusal. Values that no
 * argument takes are only told, for a file may be shared by several servers.
 */
export function checkNames(
  { calls, values }: CallsFile,
  tools: readonly NamedTool[],
  onWarning: (message: string) => void = () => {},
): void {
  const names = tools.map(({ name }) => name);
  const unknown = calls.findIndex(({ tool }) => !names.includes(tool));
  if (unknown !== -1) {
    const tool = (calls[unknown]?.tool ?? "").slice(0, 100).toWellFormed();
    const field = `calls[${unknown}].tool`;
    throw validationError(
      { field, constraint: "known", received: tool },
      {
        message: `Cannot make the calls of the file: ${field} is "${tool}", and the server lists no such tool`,
        remediation: suggest(tool, names),
      },
    );
  }
  const known = new Set(tools.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const idle = [...values.keys()].filter((name) => !known.has(name));
  if (idle.length === 0) return;
  const told = idle.slice(0, 10).map((name) => name.slice(0, 100).toWellFormed());
  onWarning(`values of the calls file that no tool has an argument for: ${told.join(", ")}`);
}
