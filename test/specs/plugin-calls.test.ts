import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pluginCalls } from "./plugin-calls.ts";
import { openStdioServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: Connection;
beforeAll(async () => {
  workspace = await createWorkspace("empty");
  await writeFile(join(workspace.folder, "notes.md"), `# Notes\n\n${"Which one? This one. ".repeat(40)}\n`);
  server = await openStdioServer(workspace.folder, ["--tools", "reference"]);
});
afterAll(async () => {
  await server?.close();
  await workspace?.remove();
});

/** Returns a spec with two phases. The first phase ends with a verify task and a research task. */
function specWithKinds(id: string): object {
  const text = JSON.stringify(specOf(id, { phases: 2, tasks: 5 }));
  const spec = JSON.parse(
    text.replaceAll("task-1-4", "verify-1-1").replaceAll("task-1-5", "research-1-1"),
  ) as { hierarchy: Record<string, { type: string; metadata: Record<string, unknown> }> };
  for (const kind of ["verify", "research"]) {
    const node = spec.hierarchy[`${kind}-1-1`];
    if (node !== undefined) Object.assign(node, { type: kind, metadata: { command: "node --version" } });
  }
  return spec;
}

/**
 * Returns `success`, the code of a failure that the state of the workspace explains, or the reason why the
 * call was refused.
 */
function toOutcome({ success, data }: Envelope): string {
  if (success) return "success";
  const code = String(data["error_code"]);
  return code === "VALIDATION_ERROR" || code === "MISSING_REQUIRED"
    ? `refused: ${String(data["remediation"])}`
    : code;
}

describe("calls that the plugin for the Python server prints", () => {
  it.each(pluginCalls.map((call, index) => [...call, index] as const))(
    "%s %j",
    async (tool, args, outcome, index) => {
      const id = `sample-${index}`;
      await workspace.write(`active/${id}.json`, specWithKinds(id));
      const given = JSON.parse(JSON.stringify(args).replaceAll("{spec}", id)) as Record<string, unknown>;
      expect(toOutcome(await server.callTool(tool, given))).toBe(outcome);
    },
  );

  it(`are answered in ${pluginCalls.filter(([, , outcome]) => !outcome.startsWith("refused")).length} of ${pluginCalls.length} cases`, () => {
    const refused = pluginCalls.filter(([, , outcome]) => outcome.startsWith("refused"));
    // 31 of the refused calls need sessions, models, an intake queue or pull requests, which Foundry does not have.
    expect(refused.length).toBeLessThanOrEqual(48);
  });

  it("are each there once", () => {
    const texts = pluginCalls.map(([tool, args]) => JSON.stringify([tool, args]));
    expect(new Set(texts).size).toBe(texts.length);
  });
});
