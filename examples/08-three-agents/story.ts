// Three agents work on one spec, each with a server of its own. Every task is done exactly once, in the order of the
// dependencies. The story prints real output and checks itself: any deviation ends it with an error.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connection, connect, unwrap } from "@foundry-mcp/toolkit/client";

const workspace = await mkdtemp(join(tmpdir(), "foundry-story-"));
await mkdir(join(workspace, "specs/active"), { recursive: true });
const server = fileURLToPath(new URL("bin/foundry-mcp.cjs", import.meta.resolve("foundry-mcp/package.json")));
const openAgent = (name: string) =>
  connect(
    { command: process.execPath, args: [server, "--store", "file"], cwd: workspace, stderr: "ignore" },
    { clientInfo: { name, version: "1.0.0" } },
  );

const specId = "quay-2026-01-01-001";
await writeFile(join(workspace, "specs/active", `${specId}.json`), JSON.stringify(createSpec(specId)));
const names = ["agent one", "agent two", "agent three"];
const agents = await Promise.all(names.map(openAgent));

try {
  step("1. Three agents ask for a task at the same time, and receive three different tasks");
  const first = await Promise.all(agents.map((agent) => claimNext(agent)));
  const claimed = first.map((task) => task?.task_id ?? "none").toSorted();
  console.log(claimed.join(", "));
  assert.deepEqual(claimed, ["task-1-1", "task-1-2", "task-1-3"]);

  step("2. An agent cannot complete the task of another agent");
  const [mine, other] = [agents[0], first[1]];
  assert(mine !== undefined && other !== undefined);
  const stolen = await mine.callTool("task", {
    action: "complete",
    spec_id: specId,
    task_id: other.task_id,
    completion_note: "Not mine",
  });
  assert(!stolen.success);
  console.log(String(stolen.data["error_code"]));
  assert.equal(stolen.data["error_code"], "CONFLICT");

  step("3. Each agent completes its task and takes the next, until nothing is left");
  const done: string[] = [];
  await Promise.all(agents.map((agent, index) => work(agent, first[index], done)));
  console.log(`${done.length} tasks completed, ${new Set(done).size} of them different`);
  assert.deepEqual(done.toSorted(), taskIds());

  step("4. The tasks of the second phase were done after all tasks of the first phase");
  const phases = done.map((id) => id.split("-")[1]);
  console.log(phases.join(" "));
  assert.deepEqual(phases, phases.toSorted());
} finally {
  await Promise.all(agents.map((agent) => agent.close()));
  await rm(workspace, { recursive: true, force: true });
}

console.log("\nAll four steps hold.");

interface Claimed {
  readonly task_id: string;
  readonly claim_token: string;
}

/** Claims the next task; undefined if there is none now. */
async function claimNext(agent: Connection): Promise<Claimed | undefined> {
  const answer = unwrap(await agent.callTool("task", { action: "next", spec_id: specId, claim: true }));
  return answer["found"] === true ? (answer as unknown as Claimed) : undefined;
}

/** Works through the spec until it is complete. An agent without a task waits until one becomes available. */
async function work(agent: Connection, first: Claimed | undefined, done: string[]): Promise<void> {
  for (let task = first; ; task = await claimNext(agent)) {
    if (task === undefined) {
      const waited = unwrap(
        await agent.callTool("task", { action: "wait", spec_id: specId, timeout_seconds: 20 }),
      );
      if (waited["reason"] === "complete" || waited["spec_complete"] === true) return;
      continue;
    }
    const { task_id, claim_token } = task;
    const completion = { spec_id: specId, task_id, claim_token, completion_note: `Done ${task_id}` };
    unwrap(await agent.callTool("task", { action: "complete", ...completion }));
    done.push(task_id);
  }
}

function taskIds(): readonly string[] {
  return [1, 2].flatMap((phase) => [1, 2, 3, 4, 5].map((number) => `task-${phase}-${number}`));
}

/** Creates a spec of two phases. The second phase waits for the first. */
function createSpec(id: string): object {
  const node = (
    type: string,
    title: string,
    parent: string | null,
    children: readonly string[],
    extra = {},
  ) => ({
    type,
    title,
    status: "pending",
    parent,
    children,
    total_tasks: type === "task" ? 1 : children.length,
    completed_tasks: 0,
    metadata: {},
    dependencies: { blocks: [], blocked_by: [], depends: [] },
    ...extra,
  });
  const inPhase = (phase: number) => taskIds().filter((task) => task.startsWith(`task-${phase}-`));
  const before = { dependencies: { blocks: ["phase-2"], blocked_by: [], depends: [] } };
  const after = { dependencies: { blocks: [], blocked_by: ["phase-1"], depends: [] } };
  const hierarchy = {
    "spec-root": node("spec", "Build a quay", null, ["phase-1", "phase-2"], { total_tasks: 10 }),
    "phase-1": node("phase", "Foundations", "spec-root", inPhase(1), before),
    "phase-2": node("phase", "Walls", "spec-root", inPhase(2), after),
    ...Object.fromEntries(
      taskIds().map((task) => [task, node("task", `Set ${task}`, `phase-${task.split("-")[1]}`, [])]),
    ),
  };
  const generated = "2026-01-01T00:00:00Z";
  return { spec_id: id, title: "Build a quay", generated, last_updated: generated, metadata: {}, hierarchy };
}

function step(title: string): void {
  console.log(`\n${title}`);
}
