import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createTestDatabase, itConcurrent } from "./postgres/test-databases.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const folder = join(root, "examples");
const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const ofDatabase = "09-many-machines";

/** Replaces what differs from run to run: ids of calls and durations. */
const toComparable = (output: string) =>
  output.replace(/req_[0-9a-f]{12}/g, "req_…").replace(/(duration_ms\\?": ?)[\d.]+/g, "$10");

/** Runs a story to its end, and compares its output with the file that readers see. */
async function runStory(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { stdout } = await run("node", [join(root, ".build/examples", name, "story.js")], {
    env: { ...process.env, ...env },
  });
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/steps hold\.$/);
  await expect(toComparable(stdout)).toMatchFileSnapshot(join(folder, name, "output.txt"));
}

describe("examples", () => {
  it("are there, numbered without a gap", () => {
    expect(stories).toEqual([
      "01-envelope",
      "02-server",
      "03-wrap",
      "04-tiers",
      "05-digest",
      "06-gateway",
      "07-check",
      "08-three-agents",
      "09-many-machines",
    ]);
  });

  it.each(stories)("%s has a short README, which the list of examples names", (name) => {
    const text = readFileSync(join(folder, name, "README.md"), "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(`(${name}/README.md)`);
  });

  it.each(stories.filter((name) => name !== ofDatabase))("%s tells its story to the end", (name) =>
    runStory(name),
  );

  itConcurrent(`${ofDatabase} tells its story to the end`, async () => {
    const database = await createTestDatabase();
    try {
      await runStory(ofDatabase, { DATABASE_URL: database.url });
    } finally {
      await database.close();
    }
  });
});
