// This program is one agent. It claims the next task, completes it, and continues until all tasks are done. It
// reports the tasks that it held and its acknowledged changes, with the time.
import { connect } from "@foundry-mcp/toolkit/client";
import { openStdioServer } from "./programs.ts";

const [way = "", folder = "", specId = "", name = "", minutes = "15"] = process.argv.slice(2);
const connection = way === "stdio" ? await openStdioServer(folder, ["--tools", "core"]) : await connect(way);
const say = (value: object) => process.stdout.write(`${JSON.stringify({ ...value, at: Date.now() })}\n`);

interface Answer {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const call = async (args: object): Promise<Answer> =>
  (await connection.callTool("task", { spec_id: specId, ...args })) as Answer;

say({ ready: name });
for (let turn = 0; ; turn++) {
  const asked = Date.now();
  const next = await call({ action: "next", claim: true, holder: name, lease_minutes: Number(minutes) });
  if (!next.success) {
    say({ failed: "next", error: next.error });
    continue;
  }
  const { found, task_id, claim_token, reason, revision, status } = next.data;
  if (found !== true) {
    say({ idle: reason, asked, revision });
    if (reason === "complete") break;
    await call({ action: "wait", timeout_seconds: 5 });
    continue;
  }
  say({ held: task_id });
  // Some agents report that they start a task. Others report only that they completed it.
  if (turn % 2 === 0 && status === "pending") await call({ action: "start", task_id, claim_token });
  const idempotency_key = `${name}-${String(task_id)}-${String(claim_token)}`;
  const done = await call({ action: "complete", task_id, claim_token, note: `By ${name}`, idempotency_key });
  if (done.success) say({ done: task_id });
  else say({ failed: task_id, error: done.error });
}
await connection.close();
process.exit(0);
