import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { addJournalEntry } from "#built/foundry/specs/model/changes/add-journal-entry.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { specOf } from "./workspace.ts";

// This program works on a tiny disk in four states. First the disk is full, then it has free space again, then it is
// read-only, and then it is writable again. The program prints the results as one line.

const [root = ""] = process.argv.slice(2);
const filler = join(root, "filler");
const acknowledged: string[] = [];
const failures: object[] = [];
let count = 0;
let store = openFileStore({ root });

/** Adds an entry to the journal. Returns false if that fails. */
async function change(length: number): Promise<boolean> {
  const content = `${count++} `.padEnd(length, "x");
  try {
    await store.change("notes", addJournalEntry({ title: "A note", content }));
    acknowledged.push(content);
    return true;
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    const { reason } = (thrown.options.details ?? {}) as { readonly reason?: unknown };
    failures.push({ code: thrown.code, reason });
    return false;
  }
}

/** Returns true if a process that starts now finds every acknowledged entry of the journal unchanged. */
async function isAllThere(): Promise<boolean> {
  await store.close();
  store = openFileStore({ root });
  const { model } = await store.read("notes");
  const found = model.journal.map((entry) => entry["content"]);
  return JSON.stringify(found) === JSON.stringify(acknowledged);
}

const takeFailures = () => [...new Set(failures.splice(0).map((failure) => JSON.stringify(failure)))];

await store.create("notes", specOf("notes") as never, "active");
writeFileSync(filler, "x".repeat(300_000));
while (await change(2_000)) if (count > 1_000) throw new Error("The disk is not full after 1,000 changes");
for (let tries = 0; tries < 5; tries++) await change(2_000);
const full = { failures: takeFailures(), isAllThere: await isAllThere() };
rmSync(filler);
const freed = { isChanged: await change(2_000), isAllThere: await isAllThere() };
spawnSync("mount", ["-o", "remount,ro", root], { stdio: "inherit" });
const readOnly = { isChanged: await change(10), failures: takeFailures(), isAllThere: await isAllThere() };
spawnSync("mount", ["-o", "remount,rw", root], { stdio: "inherit" });
const writable = { isChanged: await change(10), isAllThere: await isAllThere() };
const revisions = (await store.history("notes")).length;
await store.close();
process.stdout.write(`${JSON.stringify({ full, freed, readOnly, writable, hasHistory: revisions > 1 })}\n`);
