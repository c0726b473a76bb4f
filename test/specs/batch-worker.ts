// This program claims batches of a spec until no task is ready, and reports the tasks that it claimed.

import { once } from "node:events";
import { claimBatch } from "#built/foundry/specs/model/claims/claim-batch.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";

const [root = "", name = ""] = process.argv.slice(2);
const store = openFileStore({ root });
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

say("ready");
await once(process.stdin, "data");
for (let max_tasks = 1; ; max_tasks = (max_tasks % 5) + 1) {
  const { result } = await store.change("batches", claimBatch({ max_tasks, holder: name }));
  if (!result.found) break;
  for (const { claim } of result.claimed) say({ task: claim.task_id, token: claim.claim_token });
}
await store.close();
process.exit(0);
