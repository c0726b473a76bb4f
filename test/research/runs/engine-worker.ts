import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { digestDocument } from "#built/foundry/research/documents/digest-document.js";
import { createResearchRuns } from "#built/foundry/research/runs/research-runs.js";

// This process makes a research run over the documents of a folder. It can be killed at any time.
const [mode = "", folder = "", runsFolder = "", id = "", paceMs = "0"] = process.argv.slice(2);

/** Prints a line synchronously, so that it is not lost if the process is killed. */
const say = (...words: readonly (string | number)[]): void => void writeSync(1, `${words.join(" ")}\n`);
const caller = { principal: "ada", requestId: `req_${process.pid}` };
const documents = join(folder, "documents");
const kept = join(folder, "kept");
await mkdir(kept, { recursive: true });

const runs = createResearchRuns({
  folder: join(folder, runsFolder),
  async expand() {
    const names = (await readdir(documents)).sort();
    return { documents: names.map((name) => ({ source: { path: name } })), problems: [] };
  },
  async load({ path = "" }) {
    await pause(Number(paceMs));
    return { bytes: await readFile(join(documents, path)), name: path };
  },
  digest: (document, options, signal) => digestDocument(document, options, signal),
  async archive({ hash, text }) {
    const path = join(kept, hash.replace("sha256:", ""));
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, text);
    await rename(draft, path);
    return true;
  },
  // The model is called last. While the model does not respond, only the report is missing.
  ...(mode === "hang"
    ? {
        summarize() {
          say("asked");
          return new Promise<never>(() => {});
        },
      }
    : {}),
});

const request = { question: "When is the tide at the harbour highest?", sources: [{ path: "." }] };
const run = mode === "start" ? await runs.start(request, caller) : await runs.resume(id, caller);
say("id", run.id);
run.onProgress((done, total) => say("done", done, total));
// A timer keeps the process alive while it waits for the model.
const alive = setInterval(() => {}, 60_000);
const { state } = await run.ended;
clearInterval(alive);
say("ended", state);
