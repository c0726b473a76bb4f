import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const stories = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);

describe("examples", () => {
  it("are there", () => {
    expect(stories.map(({ name }) => name)).toEqual([
      "01-envelope",
      "02-server",
      "02b-wrap",
      "03-tiers",
      "04-digest",
    ]);
  });

  it.each(stories.map(({ name }) => name))("%s tells its story to the end", (name) => {
    const output = execFileSync("node", [join(root, ".build/examples", name, "story.js")], {
      encoding: "utf8",
    });
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/steps hold\.$/);
  });
});
