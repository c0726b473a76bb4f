import { isEnvelope, type UnknownRecord } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import { createRegistry } from "@foundry-mcp/toolkit";
import { beforeEach, describe, expect, test } from "vitest";
import type { SpecDocument } from "../../model/spec-document.ts";
import { specOf } from "../../model/testing/arbitrary-spec.ts";
import { nodesOf } from "../../model/testing/recount.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import { createTaskTool } from "./task-tool.ts";

let store: ReturnType<typeof createMemoryStore>;
beforeEach(() => {
  store = createMemoryStore();
});

async function ask(action: string, args: object = {}) {
  const registry = createRegistry({
    name: "test",
    version: "1.0.0",
    tools: [createTaskTool({ store: async () => store })],
  });
  const envelope = await registry.call("task", { action, ...args });
  expect(isEnvelope(envelope)).toBe(true);
  return envelope;
}

async function told(action: string, args: object = {}): Promise<UnknownRecord> {
  const { success, error, data } = await ask(action, args);
  expect([success, error]).toEqual([true, null]);
  return data;
}

/** The id of the documents that `specOf` creates. */
const made = "made-up-2026-01-01-001";

const about = (document: SpecDocument, id: string, metadata: object) =>
  Object.assign(nodesOf(document)[id]!.metadata, metadata);

/** Creates a spec whose second task waited for the first task. The second task has all kinds of context. */
function rich(): SpecDocument {
  const document = specOf(
    "phase-1",
    "phase-1/task-1-1 completed",
    "phase-1/task-1-2 < task-1-1",
    "phase-1/task-1-10",
    "phase-1/task-1-3",
  );
  about(document, "phase-1", { purpose: "Read the tables" });
  about(document, "task-1-2", {
    description: "Parse a row",
    file_path: "src/row.ts",
    task_category: "implementation",
    acceptance_criteria: ["It parses"],
    estimated_hours: 2,
    priority: "high",
    labels: ["parser"],
    owner: "ada",
    discovered_from: "task-1-1",
    details: "By hand",
  });
  const entry = (content: string) => ({
    timestamp: "2026-01-02T00:00:00Z",
    entry_type: "status_change",
    title: "Task Completed: A task",
    content,
    author: "ann",
    metadata: {},
    task_id: "task-1-1",
  });
  return {
    ...document,
    metadata: {
      mission: "Know the tides",
      constraints: ["task-1-10 needs no network", "phase-1 has no dependencies", "All in TypeScript"],
      risks: [{ description: "Rows of task-1-2 may be long", impact: "high" }, { description: "Rain" }],
    },
    journal: [entry("An old note"), entry("Rows end with CRLF")],
  };
}

describe("next", () => {
  test("gives what the work needs, each thing once", async () => {
    const { revision } = await store.create("tides", rich(), "active");
    expect(await told("next", { spec_id: "tides" })).toEqual({
      found: true,
      spec_id: "tides",
      task_id: "task-1-2",
      title: "A task",
      description: "Parse a row",
      status: "pending",
      type: "task",
      parent: "phase-1",
      file_path: "src/row.ts",
      task_category: "implementation",
      estimated_hours: 2,
      priority: "high",
      labels: ["parser"],
      owner: "ada",
      discovered_from: "task-1-1",
      acceptance_criteria: ["It parses"],
      mission: "Know the tides",
      phase: { id: "phase-1", title: "A phase", purpose: "Read the tables" },
      constraints: ["phase-1 has no dependencies"],
      risks: [{ text: "Rows of task-1-2 may be long", impact: "high" }],
      waited_for: [{ task_id: "task-1-1", title: "A task", note: "Rows end with CRLF" }],
      metadata: { details: "By hand" },
      spec_complete: false,
      progress: { completed: 1, total: 4, percentage: 25 },
      revision,
    });
  });

  test("says who holds the only task until when, and how to wait", async () => {
    const document = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2 < task-1-1");
    await store.create("made-up-2026-01-01-001", document, "active");
    const spec_id = "made-up-2026-01-01-001";
    const { lease_until } = await told("next", { spec_id, claim: true, holder: "ann" });
    const answer = await told("next", { spec_id });
    expect(answer).toEqual({
      found: false,
      spec_id,
      reason: "blocked",
      message: `Nothing is ready: ann holds task-1-1 until ${String(lease_until)}; task-1-2 is waiting for other tasks.`,
      spec_complete: false,
      held: [{ task_id: "task-1-1", title: "A task", holder: "ann", lease_until }],
      held_count: 1,
      blocked: [
        {
          task_id: "task-1-2",
          title: "A task",
          blocker: { task_id: "task-1-1", type: "dependency", reason: "Waits for task-1-1: A task" },
        },
      ],
      blocked_count: 1,
      remedy: { tool: "task", action: "wait", arguments: { spec_id } },
      remediation: `Wait until a task is ready: task(action="wait", spec_id="${spec_id}").`,
      progress: { completed: 0, total: 2, percentage: 0 },
      revision: expect.any(String),
    });
    const { revision: _, ...claimed } = await told("next", { spec_id, claim: true });
    const { revision: __, ...read } = answer;
    expect(claimed).toEqual(read);
  });

  test("names the first three tasks that become free, of all that others hold", async () => {
    const lines = [1, 2, 3, 4].map((number) => `phase-1/task-1-${number}`);
    await store.create("one", specOf("phase-1", ...lines), "active");
    for (const [index, lease_minutes] of [40, 10, 30, 20].entries())
      await told("claim", { spec_id: "one", task_id: `task-1-${index + 1}`, holder: "ann", lease_minutes });
    const { held, held_count, message } = await told("next", { spec_id: "one" });
    const [first, ...rest] = held as readonly UnknownRecord[];
    expect([first?.["task_id"], ...rest.map(({ task_id }) => task_id), held_count, message]).toEqual([
      ...["task-1-2", "task-1-4", "task-1-3", 4],
      `Nothing is ready: ann holds task-1-2 until ${String(first?.["lease_until"])} (and 3 more are held).`,
    ]);
  });

  test.each([
    ["a blocked task", ["phase-1/task-1-1 blocked"], "unblock"],
    ["a task in progress", ["phase-1/task-1-1 in_progress"], "wait"],
    ["research that is waited for", ["phase-1/task-1-1 < research-1-1", "phase-1/research-1-1"], "prepare"],
    ["a cycle", ["phase-1/task-1-1 < task-1-2", "phase-1/task-1-2 < task-1-1"], "analyze-deps"],
    ["nothing but completed work", ["phase-1/task-1-1 completed"], "complete"],
    ["a phase without tasks", [], "add"],
  ])("with %s names the call that helps", async (_name, lines, action) => {
    await store.create("one", specOf("phase-1", ...lines), "active");
    expect(await told("next", { spec_id: "one" })).toMatchObject({ found: false, remedy: { action } });
  });
});

describe("fields that schema lists the values of", () => {
  test.each([
    ["task_category", { task_category: "banana" }],
    ["metadata.task_category", { metadata: { task_category: "TASK_CATEGORY" } }],
    ["metadata.verification_type", { metadata: { verification_type: "test" } }],
    ["metadata.complexity", { metadata: { complexity: "huge" } }],
  ])("refuse other values: %s", async (field, values) => {
    await store.create(made, specOf("phase-1", "phase-1/task-1-1"), "active");
    for (const args of [
      { action: "update", task_id: "task-1-1" },
      { action: "add", parent: "phase-1", title: "More" },
    ]) {
      const { data } = await ask(args.action, { spec_id: made, ...args, ...values });
      expect([data["error_code"], data["details"]]).toEqual([
        "VALIDATION_ERROR",
        expect.objectContaining({ field, constraint: "enum", expected: expect.any(Array) }),
      ]);
    }
  });
});

test("next without a spec gives the reason of the only active spec, as if it were named", async () => {
  await store.create(made, specOf("phase-1", "phase-1/task-1-1 in_progress"), "active");
  const { revision: _, ...named } = await told("next", { spec_id: made });
  const { revision: __, ...bare } = await told("next");
  expect(bare).toEqual(named);
  expect(bare["message"]).toBe("Nothing is ready: task-1-1 is in progress.");
});

describe("over all active specs", () => {
  const spec = (generated: string, priority?: string, line = "phase-1/task-1-1"): SpecDocument => ({
    ...specOf("phase-1", line),
    generated,
    ...(priority === undefined ? {} : { metadata: { priority } }),
  });

  test("takes the highest priority, then the oldest, and only what is active and open", async () => {
    await store.create("low", spec("2026-01-01T00:00:00Z", "low"), "active");
    await store.create("new", spec("2026-01-03T00:00:00Z"), "active");
    await store.create("old", spec("2026-01-02T00:00:00Z"), "active");
    await store.create("high", spec("2026-01-04T00:00:00Z", "high"), "active");
    await store.create("pending", spec("2026-01-01T00:00:00Z", "critical"), "pending");
    await store.create(
      "done",
      spec("2026-01-01T00:00:00Z", "critical", "phase-1/task-1-1 completed"),
      "active",
    );
    const taken: unknown[] = [];
    for (let index = 0; index < 2; index++) taken.push((await told("next", { claim: true }))["spec_id"]);
    taken.push((await told("claim"))["spec_id"]);
    taken.push((await told("prepare-batch"))["spec_id"]);
    expect(taken).toEqual(["high", "old", "new", "low"]);
    expect(await told("next")).toEqual({
      found: false,
      reason: "in_progress",
      message: "No task is ready in 4 active specs with open work.",
      spec_complete: false,
      specs: ["high", "old", "new", "low"].map((spec_id) => ({
        spec_id,
        reason: "in_progress",
        message: expect.stringContaining("holds task-1-1 until"),
      })),
      specs_count: 4,
      remedy: { tool: "task", action: "wait", arguments: {} },
      remediation: 'Wait until a task is ready: task(action="wait").',
    });
    expect(await told("wait", { timeout_seconds: 0.01 })).toEqual({
      ready: false,
      reason: "in_progress",
      timed_out: true,
    });
  });

  test("a wait ends when any of them has a ready task", async () => {
    await store.create("one", specOf("phase-1", "phase-1/task-1-1 in_progress"), "active");
    const waiting = told("wait", { timeout_seconds: 30 });
    const { revision } = await store.create("two", specOf("phase-1", "phase-1/task-1-1"), "active");
    expect(await waiting).toEqual({
      ready: true,
      spec_id: "two",
      task_id: "task-1-1",
      title: "A task",
      revision,
      timed_out: false,
    });
  });

  test("names the spec to activate, or to create, where none is active", async () => {
    expect(await told("next")).toMatchObject({ reason: "empty", remedy: { action: "spec-create" } });
    await store.create("one", spec("2026-01-01T00:00:00Z"), "pending");
    expect(await told("next")).toMatchObject({
      reason: "empty",
      remedy: { tool: "lifecycle", action: "activate", arguments: { spec_id: "one" } },
    });
  });

  test.each([
    ["next", { claim: true, idempotency_key: "k" }],
    ["claim", { task_id: "task-1-1" }],
    ["wait", { since: "1-00000000" }],
    ["wait", { for: "change" }],
  ])("%s refuses %j, which is about one spec", async (action, args) => {
    const { data } = await ask(action, args);
    expect(data).toMatchObject({ error_code: "MISSING_REQUIRED", remedy: { tool: "spec", action: "list" } });
  });

  test("filters select tasks", async () => {
    const document = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-1/task-1-3");
    about(document, "task-1-2", { labels: ["api", "docs"], owner: "ada" });
    about(document, "task-1-3", { priority: "low" });
    await store.create("one", document, "active");
    const found = async (filter: object) => (await told("next", filter))["task_id"];
    expect(await found({ labels: ["api"] })).toBe("task-1-2");
    expect(await found({ labels: ["docs", "api"], owner: "ada" })).toBe("task-1-2");
    expect(await found({ priority: "low" })).toBe("task-1-3");
    expect(await found({ priority: "medium" })).toBe("task-1-1");
    expect(await told("next", { spec_id: "one", owner: "grace" })).toMatchObject({
      reason: "no_match",
      other_remedies: [{ tool: "task", action: "wait", arguments: { owner: "grace" } }],
    });
    // A task matches only if it has all of the labels.
    expect(await told("next", { spec_id: "one", labels: ["api", "ops"] })).toMatchObject({
      reason: "no_match",
    });
    const { tasks, filtered_count } = await told("query", { spec_id: "one", labels: ["api"] });
    expect([filtered_count, (tasks as UnknownRecord[]).map(({ task_id }) => task_id)]).toEqual([
      1,
      ["task-1-2"],
    ]);
  });
});

describe("prepare", () => {
  test("adds siblings, the progress of the phase, and the journal", async () => {
    const { revision } = await store.create("tides", rich(), "active");
    expect(await told("prepare", { spec_id: "tides", task_id: "task-1-2" })).toEqual({
      spec_id: "tides",
      found: true,
      task_id: "task-1-2",
      task: {
        task_id: "task-1-2",
        title: "A task",
        description: "Parse a row",
        status: "pending",
        type: "task",
        parent: "phase-1",
        file_path: "src/row.ts",
        task_category: "implementation",
        estimated_hours: 2,
        priority: "high",
        labels: ["parser"],
        owner: "ada",
        acceptance_criteria: ["It parses"],
        metadata: { details: "By hand" },
      },
      dependencies: { can_start: true, blocked_by: [] },
      context: {
        mission: "Know the tides",
        phase: {
          id: "phase-1",
          title: "A phase",
          purpose: "Read the tables",
          status: "in_progress",
          progress: { completed: 1, total: 4, percentage: 25 },
        },
        constraints: ["phase-1 has no dependencies"],
        risks: [{ text: "Rows of task-1-2 may be long", impact: "high" }],
        waited_for: [{ task_id: "task-1-1", title: "A task", note: "Rows end with CRLF" }],
        parent_task: null,
        previous_sibling: { id: "task-1-1", title: "A task", status: "completed" },
        siblings: [
          { id: "task-1-10", title: "A task", status: "pending" },
          { id: "task-1-3", title: "A task", status: "pending" },
        ],
        discovered_from: { id: "task-1-1", title: "A task", status: "completed" },
        task_journal: [],
      },
      spec_complete: false,
      revision,
    });
  });

  test.each([
    ["words", "The tide turns when the moon is high, and so does the harbour. "],
    ["signs of three bytes", "潮汐表を読み取り、行を解析する。"],
  ])("and next stay within 1,500 tokens, and say what they left out: %s", async (_name, text) => {
    const lines = Array.from({ length: 60 }, (_, index) => `phase-1/task-1-${index + 1} completed`);
    const waits = lines.map((_, index) => ` < task-1-${index + 1}`).join("");
    const document = specOf("phase-1", ...lines, `phase-1/task-1-99${waits}`);
    about(document, "phase-1", { purpose: text.repeat(50) });
    about(document, "task-1-99", {
      description: text.repeat(200),
      acceptance_criteria: Array(50).fill(text.repeat(3)),
      details: text.repeat(100),
    });
    const entry = (task_id: string) => ({
      timestamp: "2026-01-02T00:00:00Z",
      entry_type: "status_change",
      title: "Task Completed: A task",
      content: text.repeat(20),
      task_id,
    });
    const journal = lines.map((_, index) => entry(`task-1-${index + 1}`));
    await store.create(made, { ...document, metadata: { mission: text.repeat(50) }, journal }, "active");
    for (const action of ["next", "prepare"]) {
      const envelope = await ask(action, { spec_id: made });
      expect(estimateTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(1_500);
      const { fields, calls } = envelope.data["left_out"] as {
        fields: Record<string, string>;
        calls: { tool: string; action: string; arguments: object }[];
      };
      expect(fields).toMatchObject({
        description: expect.stringMatching(/^\d+ of \d+ characters$/),
        waited_for: expect.stringMatching(/^\d+ of 60$/),
        "metadata.details": expect.stringMatching(/^[1-9]\d* of \d+ characters$/),
      });
      expect(envelope.meta.warnings).toEqual([
        expect.stringMatching(
          /^Parts of task-1-99 are left out \(description, .+\); it is whole in task\(action="info", /,
        ),
      ]);
      for (const call of calls.filter(({ tool }) => tool === "task")) await told(call.action, call.arguments);
    }
  });

  test("shortens what is around the task before the task itself, unless a larger budget is given", async () => {
    const long = "Read the tables of the harbour, and write the rows. ".repeat(30);
    const lines = Array.from({ length: 9 }, (_, index) => `phase-1/task-1-${index + 1}`);
    const document = specOf("phase-1", ...lines);
    const requirements = [{ id: "req-1", type: "acceptance", text: "Rows have three columns" }];
    const metadata = {
      details: [long, "Then stop"],
      runbook: "Wait for low tide",
      expected: "OK",
      requirements,
    };
    about(document, "task-1-1", { status_note: "reopened", ...metadata });
    const journal = lines.map(() => ({
      timestamp: "2026-01-02T00:00:00Z",
      entry_type: "note",
      title: "A note",
      content: long,
      task_id: "task-1-2",
    }));
    await store.create(made, { ...document, metadata: { mission: long }, journal }, "active");
    const asked = { spec_id: made, task_id: "task-1-1" };
    const { data, meta } = await ask("prepare", asked);
    const task = data["task"] as UnknownRecord;
    expect([task["metadata"], meta.warnings]).toEqual([{ ...metadata, status_note: "reopened" }, undefined]);
    const short = data["context"] as Record<string, unknown>;
    expect(String(short["mission"]).length).toBeLessThan(long.length);
    for (const max_tokens of [0, 20_000]) {
      const whole = await told("prepare", { ...asked, max_tokens });
      expect([whole["left_out"], (whole["context"] as UnknownRecord)["mission"]]).toEqual([undefined, long]);
      const next = await told("next", { spec_id: made, max_tokens });
      expect([next["left_out"], next["mission"], next["metadata"]]).toEqual([
        undefined,
        long,
        task["metadata"],
      ]);
    }
  });
});

describe("prepare-batch", () => {
  test("gives each task its context and token, the mission once, within the budget", async () => {
    const lines = Array.from({ length: 25 }, (_, index) => `phase-1/task-1-${index + 1}`);
    const document = specOf("phase-1", ...lines);
    for (const [index] of lines.entries())
      about(document, `task-1-${index + 1}`, {
        file_path: `src/${index}.ts`,
        description: "Long words. ".repeat(900),
      });
    await store.create("wide", { ...document, metadata: { mission: "Know the tides" } }, "active");
    const { data, meta } = await ask("prepare-batch", { spec_id: "wide", max_tasks: 20, holder: "ann" });
    const tasks = data["tasks"] as UnknownRecord[];
    expect([data["found"], data["mission"], tasks.length, meta.content_fidelity]).toEqual([
      true,
      "Know the tides",
      20,
      undefined,
    ]);
    expect(new Set(tasks.map(({ claim_token }) => claim_token)).size).toBe(20);
    expect(tasks.map(({ task_id }) => task_id)).toEqual(lines.slice(0, 20).map((line) => line.slice(8)));
    expect(tasks.filter(({ mission }) => mission !== undefined)).toEqual([]);
    expect(estimateTokens(JSON.stringify(data))).toBeLessThanOrEqual(20_000);
    const [first] = tasks as [UnknownRecord];
    const claim = { spec_id: "wide", task_id: first["task_id"], claim_token: first["claim_token"] };
    expect(await told("complete", claim)).toMatchObject({ status: "completed" });
  });

  test("without a ready task says why", async () => {
    await store.create("one", specOf("phase-1", "phase-1/task-1-1 completed"), "active");
    expect(await told("prepare-batch", { spec_id: "one" })).toMatchObject({
      found: false,
      tasks: [],
      reason: "complete",
      spec_complete: true,
    });
  });
});

describe("discovered_from", () => {
  test("is kept where the task exists, and refused where it does not", async () => {
    await store.create("one", specOf("phase-1", "phase-1/task-1-1"), "active");
    const add = { spec_id: "one", parent: "phase-1", title: "Found" };
    expect(await told("add", { ...add, discovered_from: "task-1-1" })).toMatchObject({ task_id: "task-1-2" });
    expect(await told("info", { spec_id: "one", task_id: "task-1-2" })).toMatchObject({
      task: { metadata: { discovered_from: "task-1-1" } },
    });
    for (const wrong of ["task-9-9", "phase-1"])
      expect((await ask("add", { ...add, discovered_from: wrong })).data).toMatchObject({
        error_code: "VALIDATION_ERROR",
        details: { field: "discovered_from" },
        remedy: { tool: "task", action: "query" },
      });
    const update = { spec_id: "one", task_id: "task-1-2", metadata: { discovered_from: "task-9-9" } };
    expect((await ask("update", update)).data).toMatchObject({ error_code: "VALIDATION_ERROR" });
  });
});

test("info gives the note that was left when a task was completed, under the name that waited_for has", async () => {
  await store.create(
    "s",
    specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-1/task-1-3"),
    "active",
  );
  const noteOf = async (task_id: string) => {
    const { task } = (await told("info", { spec_id: "s", task_id })) as { task: { note?: string } };
    return task.note;
  };
  await told("complete", { spec_id: "s", task_id: "task-1-1", note: "The parser is in src/parse.ts" });
  await told("complete", { spec_id: "s", task_id: "task-1-2" });
  expect(await noteOf("task-1-1")).toBe("The parser is in src/parse.ts");
  // The default note contains no new information, so it is not returned.
  expect(await noteOf("task-1-2")).toBeUndefined();
  expect(await noteOf("task-1-3")).toBeUndefined();
  await told("reopen", { spec_id: "s", task_id: "task-1-1", reason: "It fails on empty input" });
  expect(await noteOf("task-1-1")).toBeUndefined();
});
