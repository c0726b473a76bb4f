import { validationError } from "@foundry-mcp/contract";
import { suggest } from "@foundry-mcp/toolkit";
import type { Parameter } from "../arguments/parameters.ts";
import type { CallsFile } from "./calls-file.ts";

/** The names of a tool and its parameters. */
interface NamedTool {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Throws if a call names a tool that the server does not list, because the server's refusal of a misspelled
 * tool would look like a result. Values for unknown parameters only cause a warning, because several
 * servers may share a calls file.
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
  const unused = [...values.keys()].filter((name) => !known.has(name));
  if (unused.length === 0) return;
  const shown = unused.slice(0, 10).map((name) => name.slice(0, 100).toWellFormed());
  onWarning(`values of the calls file that no tool has an argument for: ${shown.join(", ")}`);
}
