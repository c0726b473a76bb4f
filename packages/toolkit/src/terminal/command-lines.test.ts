import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { commandLines } from "./command-lines.ts";
import { widthOfSpans } from "./line.ts";

const lead = ["More: "];
const printed = (command: string, width: number) =>
  commandLines(command, { width } as never, { lead }).map(({ lead: start = [], text }) =>
    [...start, ...text].map(String).join(""),
  );

it("goes on at the left margin within a word that is longer than a line", () => {
  const cursor = "WzEs".repeat(14);
  expect(printed(`npx foundry-mcp specs list --cursor ${cursor}`, 40)).toEqual([
    "More: npx foundry-mcp specs list \\",
    "    --cursor \\",
    `    ${cursor.slice(0, 35)}\\`,
    cursor.slice(35),
  ]);
});

it.each([20, 40, 80])("prints commands that a shell reads as they were, at %d columns", (width) => {
  const words = ["specs", "list", "--cursor", "WzEsLThmZTQz".repeat(12), "--title", "'a b'", "--human"];
  const lines = printed(`printf '%s|' ${words.join(" ")}`, width);
  for (const line of lines) expect(widthOfSpans([line])).toBeLessThanOrEqual(width);
  const typed = lines.join("\n").replace("More: ", "");
  expect(execFileSync("sh", ["-c", typed], { encoding: "utf8" })).toBe(
    words.map((word) => `${word.replaceAll("'", "")}|`).join(""),
  );
});
