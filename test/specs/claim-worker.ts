// Claims every task of a spec, in an order of its own, and says which of them it got.
import { once } from "node:events";
import { claimTask, openFileStore } from "./built.ts";

const [root = "", name = "", count = "0"] = process.argv.slice(2);
const store = openFileStore({ root });
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

say("ready");
await once(process.stdin, "data");
const order = Array.from({ length: Number(count) }, (_, index) => [Math.random(), index + 1] as const)
  .toSorted(([a], [b]) => a - b)
  .map(([, number]) => number);
for (const number of order) {
  const task_id = `task-1-${number}`;
  try {
    const { result } = await store.change("claims", claimTask({ task_id, holder: name }));
    say({ task: task_id, token: result.claim_token });
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code !== "CONFLICT") say({ task: task_id, failed: String(thrown) });
  }
}
process.exit(0);
