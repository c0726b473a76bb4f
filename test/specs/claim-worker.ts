// This program claims every task of a spec in a random order, and reports the claims that succeeded. It claims either
// in the files of a folder, or through the server at an address.

import { once } from "node:events";
import type { Envelope } from "@foundry-mcp/contract";
import { claimTask } from "#built/foundry/specs/model/claims/claim-task.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";

const [place = "", name = "", count = "0"] = process.argv.slice(2);

/** Claims a task. Returns the token, or the code and message of the failure. */
type Claim = (task: string) => Promise<{ token: string } | { code: unknown; message: string }>;

function inFolder(root: string): Claim {
  const store = openFileStore({ root });
  return async (task_id) => {
    try {
      const { result } = await store.change("claims", claimTask({ task_id, holder: name }));
      return { token: result.claim_token };
    } catch (thrown) {
      return { code: (thrown as { code?: string }).code, message: String(thrown) };
    }
  };
}

// This function uses the API instead of MCP, because the MCP client would take half of the time.
function throughServer(url: string): Claim {
  return async (task_id) => {
    const response = await fetch(new URL("/api/tools/task", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action: "claim", spec_id: "claims", task_id, holder: name }),
    });
    const { success, error, data } = (await response.json()) as Envelope;
    if (success) return { token: String(data["claim_token"]) };
    return { code: data["error_code"], message: String(error) };
  };
}

const claim = place.startsWith("http") ? throughServer(place) : inFolder(place);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

say("ready");
await once(process.stdin, "data");
const order = Array.from({ length: Number(count) }, (_, index) => [Math.random(), index + 1] as const)
  .toSorted(([a], [b]) => a - b)
  .map(([, number]) => number);
for (const number of order) {
  const task = `task-1-${number}`;
  const answer = await claim(task);
  if ("token" in answer) say({ task, token: answer.token });
  else if (answer.code !== "CONFLICT") say({ task, failed: answer.message });
}
process.exit(0);
