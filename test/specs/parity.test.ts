import type { Envelope } from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, describe, expect, vi } from "vitest";
import { roles } from "#built/foundry/app/roles.js";
import { createMemoryStore } from "#built/foundry/specs/stores/memory-store.js";
import { type Ask, describeParity, type ParityTable } from "../toolkit/parity.suite.ts";
import { connectSdk } from "../toolkit/sdk-clients.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createFreshTools, seedStore, seeds } from "./fresh-tools.ts";

// Changes write the current time, so the two calls must be made at the same time.
vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") });

const archive = createMemoryArchive();
const registry = createRegistry({
  name: "parity",
  roles,
  version: "1.0.0",
  tools: createFreshTools(archive),
  budget: { archive },
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
/** A spec of which every node is claimed. */
const held = { spec_id: "held" };
/** The current revision, and the first revision. */
const now = async (ask: Ask) => (await ask("task", { action: "progress", spec_id })).data["revision"];
const first = async (ask: Ask) => {
  const { data } = await ask("spec", { action: "history", spec_id });
  return (data["entries"] as { revision: string }[]).at(-1)?.revision;
};
/** The parameters that all changes take. */
const guards = {
  spec_id: "nothing",
  if_revision: "9-ffffffff",
  dry_run: true,
  idempotency_key: seeds.key,
};
/** The parameters that all changes of a task take, each with an effect on the answer. */
const claims = { claim_token: seeds.token, force: true };
const besideHeld = { claim_token: held, force: held };
const heldVerify = { ...held, task_id: "verify-2-1" };
const onTask = { ...guards, ...claims, task_id: "task-2-3" };
const verified = { spec_id, verify_id: "verify-2-1" };
const { idempotency_key: _, task_id: __, ...onOther } = onTask;
const onVerify = { ...onOther, verify_id: "task-1-1" };
const fields = {
  description: "Something else",
  file_path: "src/else.ts",
  acceptance_criteria: ["One, two", "three"],
  task_category: "refactoring",
  estimated_hours: 2.5,
  priority: "high",
  labels: ["api", "urgent"],
  owner: "grace",
  metadata: { reviewer: "ada", note: null },
};
/** Filters that match no existing spec or task. */
const filters = { labels: ["none"], owner: "nobody", priority: "low" };
const work = {
  title: "Write it",
  description: "All of it",
  task_category: "investigation",
  acceptance_criteria: ["It is"],
};

const other = { ...work, title: "Read it" };
/** The fields of a task, as leaves below a list of tasks. */
const taskLeaves = (list: string) =>
  Object.fromEntries(
    Object.entries({
      ...fields,
      title: "Write all of it",
      type: "research",
      depends_on: ["read it"],
    }).map(([name, value]) => [`${list}[].${name}`, value]),
  );

/** The revision of the claimed spec before its tasks were changed. */
const firstOfHeld = (await (await seedStore(createMemoryStore())).history("held")).at(-1)?.revision ?? "";

/** The archived content of a long answer. */
const archived = async (ask: Ask): Promise<Envelope["meta"]> =>
  (await ask("spec", { action: "get", spec_id, max_tokens: 400 })).meta;
const archiveId = async (ask: Ask) => Object.keys((await archived(ask)).content_archive_hashes ?? {})[0];
const hash = async (ask: Ask) => Object.values((await archived(ask)).content_archive_hashes ?? {})[0];
const whole = async (ask: Ask) => ({ archive_id: await archiveId(ask) });

/** The table is exported for parity.prove.test.ts, which makes the same calls with a real program. */
export const table: ParityTable = {
  "spec list": {
    effects: { ...filters, trash: true, status: "pending", limit: 1, cursor: second("spec", "list") },
  },
  "spec get": {
    base: { spec_id },
    effects: { spec_id: "two", since: now, changes_only: true },
    beside: { changes_only: { spec_id: "held", since: firstOfHeld } },
  },
  "spec find": { base: { spec_id }, effects: { spec_id: "nothing" } },
  "spec validate": {
    base: { spec_id: "faulty" },
    effects: { spec_id, strict: true, detail: true },
  },
  "spec fix": {
    base: { spec_id: "faulty" },
    effects: { ...guards, spec_id, force: true },
    beside: { force: { spec_id: "stuck" } },
  },
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
  "spec history": {
    base: { spec_id },
    effects: { spec_id: "two", limit: 1, cursor: second("spec", "history", { spec_id }) },
  },
  "spec diff": { base: { spec_id }, effects: { spec_id: "two", from_revision: first, to_revision: first } },
  "spec undo": {
    base: { spec_id: "ours" },
    effects: { ...guards, force: true },
    beside: { force: { spec_id: "kept" } },
  },
  "spec delete": {
    base: { spec_id, confirm: true },
    effects: { ...guards, confirm: false, force: true },
    beside: { force: { spec_id: "held" } },
  },
  "spec restore": { base: { spec_id: "gone" }, effects: guards },
  "spec rollback": {
    base: async (ask) => ({ spec_id, to_revision: await first(ask), confirm: true }),
    effects: { ...guards, to_revision: now, confirm: false, force: true },
    beside: { force: { spec_id: "held", to_revision: firstOfHeld } },
  },
  "spec export": { base: { spec_id }, effects: { spec_id: "two" } },
  "spec import": {
    base: { markdown: "# By hand\n\n## First\n\n- [ ] Do it\n" },
    effects: {
      markdown: "# By hand\n\n## Last\n\n- [x] Did it\n",
      spec_id: "two",
      name: "By somebody",
      status: "active",
      as_new: true,
      remove_missing: true,
      confirm: true,
      dry_run: true,
      if_revision: "9-ffffffff",
      idempotency_key: seeds.key,
    },
    beside: {
      as_new: { markdown: "---\nspec_id: two\n---\n\n# By hand\n\n## First\n\n- [ ] Do it\n" },
      remove_missing: { spec_id: "two", confirm: true },
      confirm: { spec_id: "two", remove_missing: true },
      if_revision: { spec_id: "two" },
    },
  },
  "task next": {
    base: { spec_id },
    effects: {
      ...filters,
      spec_id: "two",
      claim: true,
      holder: "ada",
      lease_minutes: 5,
      idempotency_key: seeds.key,
    },
    beside: { holder: { claim: true }, lease_minutes: { claim: true }, idempotency_key: { claim: true } },
  },
  "task prepare-batch": {
    base: { spec_id: "two" },
    effects: {
      ...filters,
      spec_id: "one",
      max_tasks: 25,
      holder: "ada",
      lease_minutes: 5,
      idempotency_key: seeds.key,
    },
  },
  "task claim": {
    base: one,
    effects: {
      spec_id: "held",
      task_id: "task-1-2",
      holder: "ada",
      lease_minutes: 5,
      idempotency_key: seeds.key,
    },
  },
  "task heartbeat": {
    base: { ...one, ...held, claim_token: seeds.token },
    effects: { spec_id, task_id: "task-1-4", claim_token: "9-stale", lease_minutes: 5 },
  },
  "task release": {
    base: { ...one, ...held, claim_token: seeds.token },
    effects: { spec_id, task_id: "task-1-4", claim_token: "9-stale", force: true },
    beside: { force: { claim_token: "9-stale" } },
  },
  "task claims": {
    base: { spec_id: "held" },
    effects: { spec_id, limit: 1, cursor: second("task", "claims", { spec_id: "held" }) },
  },
  "task wait": {
    // The clock is stopped, so a wait never ends later. It either returns at once or not at all.
    base: { spec_id, timeout_seconds: 0 },
    effects: { ...filters, spec_id: "held", for: "change", since: "1-ffffffff", timeout_seconds: 4_000 },
  },
  "task prepare": { base: { spec_id }, effects: { spec_id: "two", task_id: "task-1-2", since: now } },
  "task info": { base: one, effects: { spec_id: "two", task_id: "task-1-2", since: now } },
  "task query": {
    base: { spec_id },
    effects: {
      ...filters,
      spec_id: "two",
      status: "blocked",
      parent: "phase-2",
      since: now,
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
      since: now,
      limit: 1,
      cursor: second("task", "hierarchy", { spec_id }),
    },
  },
  "task progress": {
    base: { spec_id, task_id: "phase-1" },
    effects: { spec_id: "nothing", task_id: "phase-2", since: now },
  },
  "task check-deps": { base: one, effects: { spec_id: "two", task_id: "task-1-2", since: now } },
  "task list-blocked": {
    base: { spec_id },
    effects: { spec_id: "two", since: now, limit: 1, cursor: second("task", "list-blocked", { spec_id }) },
  },
  "task start": { base: one, effects: { ...onTask, note: "Off we go" }, beside: besideHeld },
  "task complete": {
    base: { ...one, note: "Done" },
    effects: { ...onTask, note: "@@done" },
    beside: besideHeld,
  },
  "task block": {
    base: { ...one, reason: "A wall" },
    effects: { ...onTask, reason: "-", blocker_type: "technical", ticket: "X-1" },
    beside: besideHeld,
  },
  "task unblock": {
    base: { spec_id, task_id: "task-1-3", note: "Gone" },
    effects: { ...onTask, note: "Gone for good", status: "in_progress" },
    beside: besideHeld,
  },
  "task update-status": {
    base: { ...one, status: "in_progress" },
    effects: { ...onTask, status: "completed", note: "So it is" },
    beside: besideHeld,
  },
  "task reopen": {
    base: { spec_id, task_id: "task-2-1", reason: "Not quite" },
    effects: { ...onTask, reason: "Not at all" },
    beside: besideHeld,
  },
  "task batch": {
    base: {
      spec_id,
      operations: [
        { op: "start", task_id: "task-1-1" },
        { op: "start", task_id: "task-9-9" },
      ],
    },
    effects: {
      ...guards,
      "operations[].op": "complete",
      "operations[].task_id": "task-2-3",
      atomic: true,
    },
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
      discovered_from: "task-1-1",
      ...claims,
    },
    beside: { claim_token: { spec_id: "held" }, force: { spec_id: "held" } },
  },
  "task remove": {
    base: { spec_id, task_id: "task-2-2", cascade: true, confirm: true },
    effects: { ...onTask, cascade: false, confirm: false },
    beside: besideHeld,
  },
  "task move": {
    base: { ...one, position: 1 },
    effects: { ...onTask, parent: "phase-2", position: 2 },
    beside: besideHeld,
  },
  "task update": {
    base: { ...one, title: "Better" },
    effects: { ...onTask, ...fields, title: "Best" },
    beside: besideHeld,
  },
  "task add-dependency": {
    base: { spec_id, task_id: "task-2-4", target_id: "task-1-1" },
    effects: { ...onTask, target_id: "task-1-2" },
    beside: besideHeld,
  },
  "task remove-dependency": {
    base: { spec_id, task_id: "task-1-2", target_id: "task-1-1" },
    effects: { ...onTask, target_id: "task-2-1" },
    beside: besideHeld,
  },
  "authoring spec-create": {
    base: { name: "A thing", phases: [{ title: "First", tasks: [work, other] }] },
    effects: {
      name: "Another thing",
      description: "What it is",
      mission: "Why it is",
      category: "feature",
      owner: "ada",
      priority: "high",
      labels: ["api"],
      metadata: { plan_path: "plan.md" },
      status: "active",
      "phases[].title": "Foremost",
      "phases[].description": "What it is",
      "phases[].purpose": "Why it is",
      "phases[].estimated_hours": 3,
      ...taskLeaves("phases[].tasks"),
      dry_run: true,
      idempotency_key: seeds.key,
    },
  },
  "authoring spec-update": {
    base: { spec_id, title: "Better" },
    effects: {
      ...guards,
      title: "Best",
      description: "What it is",
      mission: "Why it is",
      category: "feature",
      owner: "ada",
      priority: "high",
      labels: ["api"],
      metadata: { complexity: null },
      key: "team",
      value: "blue",
    },
    beside: { key: { value: "red" }, value: { key: "colour" } },
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
    base: { spec_id, phase: { title: "Afterwards" }, tasks: [work, other] },
    effects: {
      ...guards,
      "phase.title": "Before",
      "phase.description": "What it is",
      "phase.purpose": "Why it is",
      "phase.estimated_hours": 3,
      "phase.position": 0,
      "phase.link_previous": false,
      ...taskLeaves("tasks"),
    },
  },
  "authoring phase-update": {
    base: { spec_id, phase_id: "phase-1", title: "Better" },
    effects: {
      ...guards,
      phase_id: "phase-2",
      title: "Best",
      description: "What it is",
      purpose: "Why it is",
      estimated_hours: 3,
      metadata: { purpose: null },
    },
  },
  "authoring phase-move": {
    base: { spec_id, phase_id: "phase-1", position: 1 },
    effects: { ...guards, phase_id: "phase-2", position: 0, link_previous: true },
  },
  "authoring phase-remove": {
    base: { spec_id, phase_id: "phase-1", force: true, confirm: true },
    effects: { ...guards, phase_id: "phase-2", force: false, confirm: false },
  },
  "authoring note-add": {
    base: { spec_id, kind: "risk", text: "It may rain" },
    effects: {
      ...guards,
      kind: "question",
      text: "It may snow",
      likelihood: "high",
      impact: "low",
      mitigation: "A roof",
      version: "2.0",
      changes: "All of it",
      author: "ada",
    },
    beside: {
      version: { kind: "revision" },
      changes: { kind: "revision", version: "2.0" },
      author: { kind: "revision", version: "2.0" },
    },
  },
  "authoring note-list": {
    base: { spec_id },
    effects: {
      spec_id: "nothing",
      kind: "constraint",
      limit: 1,
      cursor: second("authoring", "note-list", { spec_id }),
    },
  },
  "authoring find-replace": {
    base: { spec_id, find: "Do t.sk|WHAT", replace: "-x", use_regex: true },
    effects: {
      ...guards,
      find: "-",
      replace: "@y",
      scope: "descriptions",
      use_regex: false,
      case_sensitive: false,
      force: true,
    },
    beside: { force: held },
  },
  "authoring apply": {
    base: { spec_id, operations: [{ op: "start", task_id: "task-1-1" }] },
    effects: {
      ...guards,
      "operations[].op": "complete",
      operations_text: '[{"op": "complete", "task_id": "task-1-1"}]',
    },
    beside: { operations_text: { operations: undefined } },
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
  "journal unjournaled": {
    base: { spec_id },
    effects: { spec_id: "two", limit: 1, cursor: second("journal", "unjournaled", { spec_id }) },
  },
  "verification add": {
    base: { ...verified, result: "PASSED" },
    effects: {
      ...onVerify,
      idempotency_key: seeds.key,
      result: "FAILED",
      command: "npm test",
      exit_code: 3,
      output: "All of it",
      issues: "None",
      notes: "-",
    },
    beside: besideHeld,
  },
  "verification execute": {
    base: { ...verified, argv: ["node", "-e", "console.log('ran'); process.exit(3)"] },
    effects: { ...onVerify, argv: ["nodejs", "--version"], timeout_seconds: 2, record: false },
    beside: { ...besideHeld, timeout_seconds: { dry_run: true } },
  },
  "review prepare": {
    base: { spec_id },
    effects: { spec_id: "two", task_id: "task-1-2" },
  },
  "review add": {
    base: { ...one, verdict: "approved", summary: "Good", findings: [{ severity: "minor", message: "-" }] },
    effects: {
      ...onTask,
      task_id: "phase-1",
      verdict: "commented",
      summary: "-",
      "findings[].severity": "question",
      "findings[].message": "@@why",
      "findings[].file": "src/a.ts",
      "findings[].line": 3,
      "findings[].task_id": "task-1-2",
      work_hash: "0123456789ab",
    },
    beside: { claim_token: heldVerify, force: heldVerify },
  },
  "review list": {
    base: { spec_id },
    effects: {
      spec_id: "two",
      task_id: "task-1-4",
      limit: 1,
      cursor: second("review", "list", { spec_id }),
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

// parity.prove.test.ts imports only the table, and must not run these tests.
if (!expect.getState().testPath?.endsWith(".prove.test.ts"))
  describe("the tools of specs, over MCP and on the command line", () => {
    describeParity(registry, async () => client, table);
  });
