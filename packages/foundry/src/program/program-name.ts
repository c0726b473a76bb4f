import { basename } from "node:path";

/**
 * The words with which this program was started, for commands that users paste: `foundry-cli`, `foundry-mcp`, or either
 * behind `npx`. Outside of a project that has it installed, `npx foundry-cli` would run somebody else's package.
 */
export const programName = toProgramName(process.argv[1] ?? "", process.env["npm_lifecycle_script"] ?? "");

/** Derives the name from the path of the program and the command line that npm runs. */
export function toProgramName(path: string, npmScript: string): string {
  const name = basename(path).replace(/\.[cm]?js$/, "") === "foundry-mcp" ? "foundry-mcp" : "foundry-cli";
  const [word = ""] = npmScript.split(" ");
  return basename(word.replaceAll(/['"]/g, "")) === name ? `npx ${name}` : name;
}
