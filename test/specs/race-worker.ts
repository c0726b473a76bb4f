// This program is one agent. It waits for a line, completes its tasks one after another, and reports the completions
// that were acknowledged.
import { once } from "node:events";
import { connect } from "@foundry-mcp/toolkit/client";
import { callCli, openStdioServer } from "./programs.ts";

const [way = "", folder = "", specId = "", ...tasks] = process.argv.slice(2);

type Complete = (task: string) => Promise<unknown>;

async function open(): Promise<{ complete: Complete; close: () => Promise<void> }> {
  if (way === "cli") {
    return {
      complete: (task) =>
        callCli(["tasks", "complete", specId, task, "--note", `By ${way}`], { cwd: folder }),
      close: async () => {},
    };
  }
  const connection = way === "stdio" ? await openStdioServer(folder) : await connect(way);
  return {
    complete: (task_id) =>
      connection.callTool("task", { action: "complete", spec_id: specId, task_id, note: "By a server" }),
    close: () => connection.close(),
  };
}

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const { complete, close } = await open();
say("ready");
await once(process.stdin, "data");
for (const task of tasks) {
  const envelope = (await complete(task)) as { success: boolean; error: string | null };
  say(envelope.success ? { done: task } : { failed: task, error: envelope.error });
}
await close();
process.exit(0);
