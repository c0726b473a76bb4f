import { isContractError } from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../research/digest/canonical-text.ts";
import { digestText } from "../research/digest/digest-text.ts";
import { parseMarkdown } from "../specs/model/markdown/parse-markdown.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import { parseSpecFile } from "../specs/stores/spec-file.ts";
import { createTools } from "./create-tools.ts";
import { roles } from "./roles.ts";

const levels = 100_000;

describe("a spec file that nests 100,000 levels deep", () => {
  it.each([
    ["lists", "[".repeat(levels) + "]".repeat(levels)],
    ["objects", `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`],
  ])("is refused with the position: %s", (_, deep) => {
    const text = `{"hierarchy":{},"metadata":${deep}}`;
    expect(refusalOf(() => parseSpecFile(Buffer.from(text), "active/a.json"))).toMatchObject({
      code: "INVALID_FORMAT",
      message: expect.stringMatching(
        /^Cannot read the spec "active\/a\.json": line 1, column \d+: More than 1000 levels of nested lists and objects$/,
      ),
    });
  });

  it("is refused where its lists do not end", () => {
    const text = Buffer.from(`{"hierarchy":{},"metadata":${"[".repeat(levels)}`);
    expect(refusalOf(() => parseSpecFile(text, "active/a.json"))).toMatchObject({ code: "INVALID_FORMAT" });
  });
});

/** Creates a registry over a spec "deep" whose tasks nest in each other: t0, t1 in t0, t2 in t1, and so on. */
async function serveDeepSpec(count: number) {
  // The counts are wrong, so that every node has something to fix.
  const counts = { status: "pending", total_tasks: 0, completed_tasks: 0, metadata: {} };
  const top = { ...counts, type: "spec", title: "Deep", parent: null, children: ["phase-1"] };
  const phase = { ...counts, type: "phase", title: "P", parent: "spec-root", children: ["t0"] };
  const hierarchy: Record<string, unknown> = { "spec-root": top, "phase-1": phase };
  for (let index = 0; index < count; index++) {
    const parent = index === 0 ? "phase-1" : `t${index - 1}`;
    const children = index + 1 < count ? [`t${index + 1}`] : [];
    hierarchy[`t${index}`] = { ...counts, type: "task", title: `T${index}`, parent, children };
  }
  const store = createMemoryStore();
  await store.create("deep", { spec_id: "deep", title: "Deep", hierarchy } as never, "active");
  const services = { running: {}, openResearch: () => Promise.reject(new Error("none")) };
  const workspace = { store: () => Promise.resolve(store) };
  const names = ["spec", "task", "authoring", "lifecycle", "journal"] as const;
  return createRegistry({
    name: "t",
    version: "1.0.0",
    roles,
    tools: createTools(workspace as never, names as never, services as never),
  });
}

// Work that grows with the square of the depth would take minutes, and would exceed the deadline of a call or of the
// test.
describe("a spec whose tasks nest 20,000 levels deep", () => {
  const last = "t19999";
  const open = async () => {
    const registry = await serveDeepSpec(20_000);
    return async (tool: string, args: Readonly<Record<string, unknown>>) => {
      const { success, data } = await registry.call(tool, { spec_id: "deep", ...args });
      return { success, ...data };
    };
  };

  it("is read", async () => {
    const call = await open();
    expect(await call("spec", { action: "stats" })).toMatchObject({ success: true });
    expect(await call("task", { action: "next" })).toMatchObject({ task_id: last });
    expect(await call("task", { action: "query", parent: "t9" })).toMatchObject({ filtered_count: 19_990 });
    expect(await call("task", { action: "list-blocked" })).toMatchObject({ total_count: 0 });
    expect(await call("task", { action: "hierarchy", max_depth: 100 })).toMatchObject({
      total_count: 20_002,
    });
  });

  it("is repaired", async () => {
    const call = await open();
    expect(await call("spec", { action: "fix", dry_run: true })).toMatchObject({
      error_code: "CONTENT_TOO_LARGE",
    });
  });

  it("is changed and validated", async () => {
    const call = await open();
    expect(await call("task", { action: "complete", task_id: "t9" })).toMatchObject({
      details: { open_count: 1, open: [{ task_id: last }] },
    });
    expect(await call("task", { action: "start", task_id: last })).toMatchObject({ status: "in_progress" });
    expect(await call("task", { action: "info", task_id: "t0" })).toMatchObject({
      task: { status: "in_progress" },
    });
    expect(await call("task", { action: "complete", task_id: last })).toMatchObject({ spec_complete: true });
    expect(await call("spec", { action: "validate" })).toMatchObject({ success: true });
  });
});

describe("a spec whose tasks nest 2,000 levels deep", () => {
  it("meets no action that fails unexpectedly", async () => {
    const count = 2_000;
    const registry = await serveDeepSpec(count);
    const unexpected: string[] = [];
    const given = {
      spec_id: "deep",
      task_id: `t${count - 1}`,
      phase_id: "phase-1",
      node_id: "t5",
      parent: "t5",
      title: "x",
      reason: "x",
      confirm: true,
      dry_run: true,
      query: "T5",
      text: "- [ ] a",
    };
    for (const tool of registry.tools) {
      for (const [action, { input }] of tool.actions) {
        if (action === "wait" || action === "watch") continue;
        const own = Object.entries(given).filter(([name]) => input.parameters.has(name));
        const args = { ...(action === "" ? {} : { action }), ...Object.fromEntries(own) };
        const { success, data, error } = await registry.call(tool.name, args);
        if (!success && data["error_code"] === "INTERNAL_ERROR")
          unexpected.push(`${tool.name} ${action}: ${error}`);
      }
    }
    expect(unexpected).toEqual([]);
  });
});

describe("Markdown that nests 100,000 levels deep", () => {
  it.each([
    ["lists in one line", "- ".repeat(levels)],
    ["numbered lists in one line", "1. ".repeat(levels)],
    ["quotes", "> ".repeat(levels)],
    ["quotes without spaces", ">".repeat(levels)],
    ["headings", "#".repeat(levels)],
    ["emphasis", "*a ".repeat(levels)],
    ["links", "[".repeat(levels) + "]".repeat(levels)],
    ["code", "`".repeat(levels)],
    [
      "indented items",
      Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(2 * depth)}- [ ] a`).join("\n"),
    ],
  ])("is imported and digested, or refused: %s", (_, text) => {
    for (const read of [
      () => parseMarkdown(`# Title\n\n- [ ] task\n\n${text}`),
      () => digestText(canonicalize(`${text} some words. And more of them.`), `sha256:${"0".repeat(64)}`),
    ]) {
      const refusal = refusalOf(read);
      expect(refusal === undefined || isContractError(refusal)).toBe(true);
    }
  });
});

function refusalOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}
