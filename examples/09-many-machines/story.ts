// Two machines share specs through PostgreSQL only: their folders have nothing in common. Set DATABASE_URL to an empty
// database to run the story. The story prints real output and checks itself: any deviation ends it with an error.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, unwrap } from "@foundry-mcp/toolkit/client";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) {
  console.error("Cannot run the story: set DATABASE_URL to an empty PostgreSQL database");
  process.exit(1);
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const machines = await Promise.all(["one", "two"].map((name) => mkdtemp(join(tmpdir(), `machine-${name}-`))));
const [one = "", two = ""] = machines;

/** Runs a command on a machine. In your own project, this is `npx foundry-mcp`. */
function run(folder: string, ...args: readonly string[]): Record<string, unknown> {
  const cli = at("../../../packages/foundry/bin/foundry-cli.cjs");
  const { stdout } = spawnSync(process.execPath, [cli, ...args, "--store", "postgres", "--json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { success, data, error } = JSON.parse(stdout) as Record<string, unknown>;
  assert(success === true, String(error));
  return data as Record<string, unknown>;
}

const server = fileURLToPath(new URL("bin/foundry-mcp.cjs", import.meta.resolve("foundry-mcp/package.json")));
const openAgent = (cwd: string, name: string) =>
  connect(
    {
      command: process.execPath,
      args: [server, "--store", "postgres"],
      cwd,
      env: { DATABASE_URL },
      stderr: "ignore",
    },
    { clientInfo: { name, version: "1.0.0" } },
  );

try {
  step("1. The first machine creates a spec in the database, and the second machine lists it");
  run(one, "init", "--yes");
  const [spec] = run(two, "specs", "find")["specs"] as { id: string; title: string; revision: string }[];
  assert(spec !== undefined);
  console.log(spec.title);
  const files = await readdir(two);
  console.log(`files on the second machine: ${files.length}`);
  assert.deepEqual(files, []);

  const agents = await Promise.all([openAgent(one, "agent one"), openAgent(two, "agent two")]);
  try {
    step("2. An agent on each machine claims a task at the same time: two different tasks");
    const claims = await Promise.all(
      agents.map(async (agent) =>
        unwrap(await agent.callTool("task", { action: "next", spec_id: spec.id, claim: true })),
      ),
    );
    const ids = claims.map((claim) => String(claim["task_id"]));
    console.log(ids.toSorted().join(", "));
    assert.deepEqual(ids.toSorted(), ["task-1-1", "task-1-2"]);

    step("3. A change on one machine wakes an agent that waits on the other machine");
    const [first, second] = agents;
    assert(first !== undefined && second !== undefined);
    const waiting = second.callTool("task", {
      action: "wait",
      spec_id: spec.id,
      for: "change",
      since: spec.revision,
      timeout_seconds: 30,
    });
    const completion = { task_id: ids[0], claim_token: claims[0]?.["claim_token"], completion_note: "Done" };
    unwrap(await first.callTool("task", { action: "complete", spec_id: spec.id, ...completion }));
    const woken = unwrap(await waiting);
    console.log(`timed out: ${String(woken["timed_out"])}`);
    assert.equal(woken["timed_out"], false);
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }

  step("4. The history is the same on both machines");
  const histories = machines.map((folder) => run(folder, "specs", "history", spec.id)["entries"]);
  assert(Array.isArray(histories[0]));
  console.log(`${histories[0].length} revisions on each machine`);
  assert.deepEqual(histories[1], histories[0]);
} finally {
  for (const folder of machines) await rm(folder, { recursive: true, force: true });
}

console.log("\nAll four steps hold.");

function step(title: string): void {
  console.log(`\n${title}`);
}
