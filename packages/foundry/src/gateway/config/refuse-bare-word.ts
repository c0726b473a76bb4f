import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { validationError } from "@foundry-mcp/contract";
import { nearest } from "@foundry-mcp/contract/input";
import type { Environment } from "../../servers/expand-variables.ts";

/** The words that `gateway` takes in place of a command. */
const words = ["status", "login", "approve"];

/**
 * Refuses a command that is one word and no program, such as a typo of `status`: a gateway would wait for a client, and
 * its only server would never start.
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
  // Windows finds programs also without their extensions.
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
