import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { findKind, resolveLinks } from "@foundry-mcp/toolkit/files";
import { programName } from "./program-name.ts";

/** The command with which a client starts the server over stdio. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command of the server for the configuration of a client on this machine. */
export const findServerCommand = (): ServerCommand =>
  toServerCommand(programName, process.argv[1] ?? "", process.env["PATH"] ?? "");

/**
 * Returns the command that starts the server in the same way as the program was started: by `npx`, by its name on the
 * PATH, or by the path of its file. `npx` is not used for a program that npx did not start, because npx finds only
 * packages that are installed above the current folder.
 */
export function toServerCommand(name: string, script: string, path: string): ServerCommand {
  const byNpx = { command: "npx", args: ["foundry-mcp"] };
  if (name.startsWith("npx ")) return byNpx;
  const folders = path.split(delimiter).filter(isAbsolute);
  if (folders.some((folder) => findKind(join(folder, "foundry-mcp")) === "file"))
    return { command: "foundry-mcp", args: [] };
  const file = resolveLinks(script) ?? script;
  const server = join(dirname(file), basename(file).replace(/^foundry-cli(?=\.)/, "foundry-mcp"));
  const isProgram = /^foundry-mcp\.[cm]?js$/.test(basename(server)) && findKind(server) === "file";
  return isProgram ? { command: "node", args: [server] } : byNpx;
}
