import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "@foundry-mcp/toolkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "#built/foundry/app/open-server.js";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

// Each of these files is JSON, or almost JSON, and none of them can be used as it is. Every action has to say so in the
// same way, and none may answer as if it had been able to use the file.

let workspace: TestWorkspace;
let registry: Registry;
let close: () => Promise<void>;
beforeAll(async () => {
  workspace = await createWorkspace();
  ({ registry, close } = await openServer({ cwd: workspace.folder, settings: { tools: "all" } }));
});
afterAll(async () => {
  await close();
  await workspace.remove();
});

const call = (tool: string, action: string, args: object) => registry.call(tool, { action, ...args });
const reads = [
  ["spec", "get", {}],
  ["spec", "stats", {}],
  ["spec", "export", {}],
  ["task", "next", {}],
  ["task", "query", {}],
  ["task", "progress", {}],
  ["review", "prepare", {}],
  ["task", "start", { task_id: "task-1-1" }],
  ["journal", "add", { title: "T", content: "C" }],
] as const;
const textOf = (id: string) => JSON.stringify(specOf(id), null, 2);

describe.each([
  [
    "a number that no answer can contain",
    "number",
    Buffer.from(textOf("number").replace('"journal": []', '"journal": [],\n  "weight": [1, -1e999]')),
    "A number is too large: its absolute value is more than 1.7e308",
    "-1e999",
  ],
  [
    "a byte that is not UTF-8",
    "byte",
    Buffer.from(textOf("byte").replace('"journal": []', '"journal": [],\n  "note": "\u00ff"'), "latin1"),
    "The text is not UTF-8",
    "\u00ff",
  ],
] as const)("a file with %s", (_, spec_id, bytes, why, fault) => {
  const before = bytes.toString("latin1").split(fault)[0] ?? "";
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  const message = `Cannot read the spec "active/${spec_id}.json": line ${line}, column ${column}: ${why}`;

  it.each(reads)("is refused with the place by %s %s", async (tool, action, args) => {
    const file = await workspace.write(`active/${spec_id}.json`, bytes);
    const { success, error, data } = await call(tool, action, { spec_id, ...args });
    expect([success, error, data["error_code"]]).toEqual([false, message, "INVALID_FORMAT"]);
    expect(data["details"]).toEqual({ path: `active/${spec_id}.json`, line, column });
    expect(await readFile(file)).toEqual(bytes);
  });

  it("is not valid, for that reason alone, and is named in the list", async () => {
    const { data } = await call("spec", "validate", { spec_id });
    expect(data).toMatchObject({ is_valid: false, error_count: 1, warning_count: 0 });
    expect(data["diagnostics"]).toEqual([
      {
        ...{
          code: "INVALID_JSON",
          severity: "error",
          category: "structure",
          message,
          path: "$",
          location: null,
        },
        ...{ suggested_fix: `Correct line ${line} of the file.`, auto_fixable: false, count: 1 },
      },
    ]);
    const { meta } = await call("spec", "list", {});
    expect(meta.warning_details?.flatMap(({ context }) => context?.["problems"])).toContainEqual({
      path: `active/${spec_id}.json`,
      message,
      line,
      column,
    });
  });
});

it("a file that lists more ids than a spec may have nodes or dependencies is refused at once", async () => {
  const document = specOf("ids") as { readonly hierarchy: Readonly<Record<string, object>> };
  const list = (node: string, field: object) => ({
    ...document,
    hierarchy: { ...document.hierarchy, [node]: { ...document.hierarchy[node], ...field } },
  });
  const ids = (count: number) => Array.from({ length: count }, () => "x");
  const cases = [
    [list("phase-1", { children: ids(100_001) }), "its lists of children have 100,002 ids"],
    [
      list("task-1-1", { dependencies: { blocked_by: ids(600_000), blocks: ids(400_001) } }),
      "its lists of dependencies have 1,000,001 ids",
    ],
  ] as const;
  for (const [content, why] of cases) {
    await workspace.write("active/ids.json", content);
    for (const action of ["get", "validate", "fix"]) {
      const { error, data } = await call("spec", action, { spec_id: "ids" });
      expect([error, data["error_code"]]).toEqual([
        `Cannot use the spec "active/ids.json": ${why}`,
        "CONTENT_TOO_LARGE",
      ]);
    }
  }
});

it("a file whose spec_id is the id of another spec changes, and is named, under the name of the file", async () => {
  await workspace.write("active/mine.json", specOf("theirs"));
  const theirs = await workspace.write("active/theirs.json", specOf("theirs"));
  const text = await readFile(theirs, "utf8");
  const missing = await call("task", "start", { spec_id: "mine", task_id: "task-9-9" });
  expect(missing.data["remedy"]).toEqual({ tool: "task", action: "query", arguments: { spec_id: "mine" } });
  const started = await call("task", "start", { spec_id: "mine", task_id: "task-1-1" });
  expect(started.data).toMatchObject({ spec_id: "mine", task_id: "task-1-1", status: "in_progress" });
  const again = await call("task", "complete", { spec_id: "mine", task_id: "phase-1" });
  expect(JSON.stringify(again)).not.toContain("theirs");
  expect(await readFile(theirs, "utf8")).toBe(text);
  expect(JSON.parse(await readFile(join(workspace.specs, "active", "mine.json"), "utf8")).spec_id).toBe(
    "theirs",
  );
});

it("a number that JSON cannot represent is refused before anything is written", async () => {
  const file = await workspace.write("active/plain.json", specOf("plain"));
  const text = await readFile(file, "utf8");
  const update = JSON.parse(
    '{"spec_id":"plain","task_id":"task-1-1","metadata":{"a":{"b":[1e999]}}}',
  ) as object;
  const { error, data } = await call("task", "update", update);
  expect([error, data["error_code"]]).toEqual([
    "Validation failed: metadata.a.b[0] must be a number that JSON can represent",
    "VALIDATION_ERROR",
  ]);
  expect(await readFile(file, "utf8")).toBe(text);
});
