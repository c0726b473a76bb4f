import { basename } from "node:path";

/**
 * The words that start this program, for commands that users paste: `foundry-cli` or `foundry-mcp`, with `npx` if
 * necessary. Outside a project that has the package installed, `npx foundry-cli` would run the package of another
 * author.
 */
export const programName = toProgramName(process.argv[1] ?? "", process.env["npm_lifecycle_script"] ?? "");

/** Derives the name from the path of the program and the command line that npm executes. */
export function toProgramName(path: string, npmScript: string): string {
  const name = basename(path).replace(/\.[cm]?js$/, "") === "foundry-mcp" ? "foundry-mcp" : "foundry-cli";
  const [word = ""] = npmScript.split(" ");
  return basename(word.replaceAll(/['"]/g, "")) === name ? `npx ${name}` : name;
}
