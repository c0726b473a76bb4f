import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openServer } from "#built/foundry/app/open-server.js";
import { readOnlyCalls } from "./read-only-calls.ts";
import { specOf } from "./workspace.ts";

it("every read of a spec warns of a revision that another program has overwritten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "overwritten-"));
  const file = join(folder, "specs", "active", "one.json");
  await mkdir(join(folder, "specs", "active"), { recursive: true });
  const before = JSON.stringify(specOf("one"));
  await writeFile(file, before);
  const { registry, close } = await openServer({ cwd: folder, settings: { tools: "all" } });
  try {
    const start = { action: "start", spec_id: "one", task_id: "task-1-1" };
    expect(await registry.call("task", start)).toMatchObject({ success: true });
    expect(await readFile(file, "utf8")).not.toBe(before);
    await writeFile(file, before);

    const reads = readOnlyCalls(registry).filter(({ args }) => "spec_id" in args);
    const outcomesOf = async (calls: typeof reads) => {
      const outcomes: [call: string, success: boolean, codes: readonly string[]][] = [];
      for (const { tool, args } of calls) {
        const { success, meta } = await registry.call(tool, args);
        const warnings = (meta["warning_details"] ?? []) as readonly { readonly code: string }[];
        const codes = warnings.map(({ code }) => code).filter((code) => code === "REVISION_OVERWRITTEN");
        outcomes.push([`${tool} ${args["action"]}`, success, codes]);
      }
      return outcomes;
    };
    const isTold = ["REVISION_OVERWRITTEN"];
    expect(await outcomesOf(reads)).toEqual(
      reads.map(({ tool, args }) => [`${tool} ${args["action"]}`, true, isTold]),
    );
    expect(reads.length).toBeGreaterThan(20);
    const overAll = [
      { tool: "spec", args: { action: "list" } },
      { tool: "spec", args: { action: "search", query: "about" } },
      { tool: "spec", args: { action: "search", query: "in no spec" } },
      { tool: "task", args: { action: "next" } },
    ];
    expect(await outcomesOf(overAll)).toEqual([
      ["spec list", true, isTold],
      ["spec search", true, isTold],
      ["spec search", true, []],
      ["task next", true, isTold],
    ]);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});
