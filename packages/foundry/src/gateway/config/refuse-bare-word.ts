import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { validationError } from "@foundry-mcp/contract";
import { nearest } from "@foundry-mcp/contract/input";
import type { Environment } from "../../servers/expand-variables.ts";

/** The subcommands of `gateway`, which are written in the place of the command that starts a server. */
const words = ["status", "login", "approve"];

/**
 * Throws an error for a command that is a single word but no program, such as a misspelled `status`. Without this
 * check, the gateway would start, wait for a client, and never be able to start its only server.
 */
export function refuseBareWord(command: readonly string[], env: Environment): void {
  const [word = "", second] = command;
  if (word === "" || second !== undefined || /[\\/]/.test(word) || isProgram(word, env)) return;
  const guess = nearest(word, words);
  throw validationError(
    { field: "command", constraint: "program", received: word },
    {
      message: `Cannot start ${JSON.stringify(word)}: no program of that name is on the PATH`,
      remediation: `${guess === undefined ? "" : `Did you mean gateway ${guess}? `}Write the command of one server behind --, as in gateway -- node server.js.`,
    },
  );
}

function isProgram(word: string, env: Environment): boolean {
  // Windows finds a program even if its extension is not typed.
  const extensions = ["", ...(env["PATHEXT"] ?? "").split(";").filter((each) => each !== "")];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  return folders.some((folder) =>
    extensions.some((extension) => isExecutable(join(folder || ".", word + extension))),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
