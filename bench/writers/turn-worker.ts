import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

// This program changes one spec without a pause for some time, and reports the time of each change. Only the changes are
// reported during which all other processes also changed the spec.

const [root = "", storePath = "", ms = "0"] = process.argv.slice(2);
const { openFileStore } = (await import(
  storePath
)) as typeof import("#built/foundry/specs/stores/file-store/file-store.js");
const store = openFileStore({ root });
const change = (title: string) =>
  store.change("one", () => ({ edits: [{ op: "set", path: ["title"], value: title }], result: 0 }));
await change("warm");
process.send?.("ready");
await once(process, "message");
const times: number[] = [];
const start = performance.now();
// The end of the run has fewer processes, so its changes are not reported.
for (let count = 0; performance.now() - start < Number(ms) + 500; count++) {
  const before = performance.now();
  await change(`${process.pid} ${count}`);
  const isCounted = before - start > 250 && performance.now() - start < Number(ms);
  if (isCounted) times.push(performance.now() - before);
}
process.send?.(times);
await pause(10);
process.exit(0);
