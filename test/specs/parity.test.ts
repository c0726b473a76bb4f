import type { Envelope } from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, describe, vi } from "vitest";
import { type Ask, describeParity, type ParityTable } from "../toolkit/parity.suite.ts";
import { connectSdk } from "../toolkit/sdk-clients.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createFreshTools } from "./fresh-tools.ts";

// What is written says when: two calls must be made at the same moment.
vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") });

const registry = createRegistry({
  name: "parity",
  version: "1.0.0",
  tools: createFreshTools(),
  budget: { archive: createMemoryArchive() },
  logger: silentLogger,
});
const http = await serveHttp(registry, { port: 0, logger: silentLogger });
const client = await connectSdk("SDK 2 modern", { url: `${http.url}/mcp` });
afterAll(async () => {
  await client.close();
  await http.close();
  vi.useRealTimers();
});

/** The cursor of the second page. */
const second =
  (tool: string, action: string, args: object = {}) =>
  async (ask: Ask) =>
    (await ask(tool, { action, limit: 1, ...args })).meta.pagination?.cursor;

const spec_id = "one";
const one = { spec_id, task_id: "task-1-1" };
/** What changes take beside what they change. */
const guards = { spec_id: "nothing", if_revision: "9-ffffffff", dry_run: true };
const onTask = { ...guards, task_id: "task-2-3" };
const fields = {
  description: "Something else",
  file_path: "src/else.ts",
  acceptance_criteria: ["One, two", "three"],
  task_category: "refactoring",
  estimated_hours: 2.5,
  metadata: { owner: "ada", note: null },
};
const work = {
  title: "Write it",
  description: "All of it",
  task_category: "investigation",
  acceptance_criteria: ["It is"],
};

/** What a long answer left behind. */
const archived = async (ask: Ask): Promise<Envelope["meta"]> =>
  (await ask("spec", { action: "get", spec_id, max_tokens: 400 })).meta;
const archiveId = async (ask: Ask) => Object.keys((await archived(ask)).content_archive_hashes ?? {})[0];
const hash = async (ask: Ask) => Object.values((await archived(ask)).content_archive_hashes ?? {})[0];
const whole = async (ask: Ask) => ({ archive_id: await archiveId(ask) });

const table: ParityTable = {
  "spec list": { effects: { status: "pending", limit: 1, cursor: second("spec", "list") } },
  "spec get": { base: { spec_id }, effects: { spec_id: "two" } },
  "spec find": { base: { spec_id }, effects: { spec_id: "nothing" } },
  "spec validate": { base: { spec_id: "faulty" }, effects: { spec_id, strict: true } },
  "spec fix": { base: { spec_id: "faulty" }, effects: { ...guards, spec_id } },
  "spec stats": { base: { spec_id }, effects: { spec_id: "two" } },
  "spec analyze-deps": { base: { spec_id }, effects: { spec_id: "two", bottleneck_threshold: 1 } },
  "spec schema": {},
  "spec search": {
    base: { query: "about" },
    effects: {
      query: "undecided",
      spec_id: "two",
      limit: 1,
      cursor: second("spec", "search", { query: "about" }),
    },
  },
  "task next": { base: { spec_id }, effects: { spec_id: "two" } },
  "task prepare": { base: { spec_id }, effects: { spec_id: "two", task_id: "task-1-2" } },
  "task info": { base: one, effects: { spec_id: "two", task_id: "task-1-2" } },
  "task query": {
    base: { spec_id },
    effects: {
      spec_id: "two",
      status: "blocked",
      parent: "phase-2",
      limit: 1,
      cursor: second("task", "query", { spec_id }),
    },
  },
  "task hierarchy": {
    base: { spec_id },
    effects: {
      spec_id: "two",
      parent: "phase-2",
      max_depth: 1,
      limit: 1,
      cursor: second("task", "hierarchy", { spec_id }),
    },
  },
  "task progress": {
    base: { spec_id, task_id: "phase-1" },
    effects: { spec_id: "nothing", task_id: "phase-2" },
  },
  "task check-deps": { base: one, effects: { spec_id: "two", task_id: "task-1-2" } },
  "task list-blocked": {
    base: { spec_id },
    effects: { spec_id: "two", limit: 1, cursor: second("task", "list-blocked", { spec_id }) },
  },
  "task start": { base: one, effects: { ...onTask, note: "Off we go" } },
  "task complete": { base: { ...one, note: "Done" }, effects: { ...onTask, note: "@@done" } },
  "task block": {
    base: { ...one, reason: "A wall" },
    effects: { ...onTask, reason: "-", blocker_type: "technical", ticket: "X-1" },
  },
  "task unblock": {
    base: { spec_id, task_id: "task-1-3", note: "Gone" },
    effects: { ...onTask, note: "Gone for good", status: "in_progress" },
  },
  "task update-status": {
    base: { ...one, status: "in_progress" },
    effects: { ...onTask, status: "completed", note: "So it is" },
  },
  "task reopen": {
    base: { spec_id, task_id: "task-2-1", reason: "Not quite" },
    effects: { ...onTask, reason: "Not at all" },
  },
  "task batch": {
    base: {
      spec_id,
      operations: [
        { op: "start", task_id: "task-1-1" },
        { op: "start", task_id: "task-9-9" },
      ],
    },
    effects: { ...guards, operations: [{ op: "complete", task_id: "task-1-1", note: "x" }], atomic: true },
  },
  "task add": {
    base: { spec_id, parent: "phase-1", title: "New", type: "task" },
    effects: {
      ...guards,
      ...fields,
      parent: "phase-2",
      title: "Newer",
      type: "verify",
      position: 0,
      depends_on: ["task-1-1"],
    },
  },
  "task remove": {
    base: { spec_id, task_id: "task-2-2", cascade: true, confirm: true },
    effects: { ...onTask, cascade: false, confirm: false },
  },
  "task move": {
    base: { ...one, position: 1 },
    effects: { ...onTask, parent: "phase-2", position: 2 },
  },
  "task update": { base: { ...one, title: "Better" }, effects: { ...onTask, ...fields, title: "Best" } },
  "task add-dependency": {
    base: { spec_id, task_id: "task-2-4", target_id: "task-1-1" },
    effects: { ...onTask, target_id: "task-1-2" },
  },
  "task remove-dependency": {
    base: { spec_id, task_id: "task-1-2", target_id: "task-1-1" },
    effects: { ...onTask, target_id: "task-2-1" },
  },
  "authoring spec-create": {
    base: { name: "A thing" },
    effects: {
      name: "Another thing",
      description: "What it is",
      mission: "Why it is",
      category: "feature",
      owner: "ada",
      status: "active",
      phases: [{ title: "First", tasks: [work] }],
      dry_run: true,
    },
  },
  "authoring phase-add": {
    base: { spec_id, title: "Afterwards" },
    effects: {
      ...guards,
      title: "Before",
      description: "What it is",
      purpose: "Why it is",
      estimated_hours: 3,
      position: 0,
      link_previous: false,
    },
  },
  "authoring phase-add-bulk": {
    base: { spec_id, phase: { title: "Afterwards" }, tasks: [work] },
    effects: {
      ...guards,
      phase: { title: "Before", position: 0 },
      tasks: [work, { ...work, title: "Read it" }],
    },
  },
  "lifecycle activate": {
    base: { spec_id: "two" },
    effects: { ...guards, spec_id, reason: "It is time" },
  },
  "lifecycle complete": {
    base: { spec_id, force: true, reason: "Enough" },
    effects: { ...guards, force: false, reason: "More than enough" },
  },
  "lifecycle archive": { base: { spec_id }, effects: { ...guards, reason: "Over" } },
  "lifecycle move": {
    base: { spec_id, to_folder: "completed", force: true, reason: "Enough" },
    effects: { ...guards, to_folder: "pending", force: false, reason: "More than enough" },
  },
  "lifecycle state": { base: { spec_id }, effects: { spec_id: "two" } },
  "journal add": {
    base: { spec_id, title: "Said", content: "Much" },
    effects: { ...guards, title: "Sung", content: "@@more", entry_type: "decision", task_id: "task-1-1" },
  },
  "journal list": {
    base: { spec_id },
    effects: {
      spec_id: "two",
      task_id: "task-1-1",
      entry_type: "decision",
      limit: 1,
      cursor: second("journal", "list", { spec_id }),
    },
  },
  "content get": {
    base: whole,
    effects: {
      limit: 5,
      cursor: async (ask: Ask) =>
        (await ask("content", { action: "get", limit: 5, ...(await whole(ask)) })).meta.pagination?.cursor,
      archive_id: "arc_0",
      hash,
      content_id: "no-such-line",
    },
  },
  "content list": {
    isMoving: true,
    base: async (ask) => {
      await archived(ask);
      return {};
    },
    effects: { limit: 600, cursor: "x" },
  },
  "content stat": { base: whole, effects: { archive_id: "arc_0", hash, content_id: "no-such-line" } },
  "server tools": { effects: { limit: 1, cursor: second("server", "tools") } },
  "server schema": { base: { tool: "task" }, effects: { tool: "spec", for_action: "complete" } },
  "server capabilities": {},
  "server capability-negotiate": {
    base: { client_capabilities: { response_contract: "v2" } },
    effects: { client_capabilities: { response_contract: "v9" } },
  },
  "server flags": { effects: { limit: 0, cursor: "x" } },
  "server context": { isMoving: true },
  "server health": { isMoving: true },
};

describe("the tools of specs, over MCP and on the command line", () => {
  describeParity(registry, async () => client, table);
});
