import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { verifySnippet } from "@foundry-mcp/contract/digest";
import { afterEach, beforeEach, expect, it } from "vitest";

type ResearchReport = import("../../packages/foundry/src/research/runs/research-report.ts").ResearchReport;

const script = fileURLToPath(new URL("../../.build/test/research/runs/engine-worker.js", import.meta.url));
const count = 60;
const paceMs = "25";
const running = new Set<ChildProcess>();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-engine-"));
  await mkdir(join(folder, "documents"));
  for (let number = 0; number < count; number++)
    await writeFile(join(folder, "documents", nameOf(number)), contentOf(number));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

function nameOf(number: number): string {
  return `${String(number).padStart(3, "0")}.${number % 10 === 3 ? "html" : "txt"}`;
}

/** Creates long and short texts, HTML, duplicates, and files that are not documents. */
function contentOf(number: number): string | Uint8Array {
  const harbour = `harbour ${String.fromCharCode(65 + (number % 26))}${number}`;
  const answer = `At ${harbour} the tide is highest ${number} minutes after the moon has passed the south.`;
  const rest = Array.from(
    { length: 20 + number },
    (_, at) =>
      `Ship ${at} of ${harbour} carried ${number * at} barrels of salt and ${at + 7} of wine that year.`,
  );
  if (number % 10 === 1) return answer;
  if (number % 10 === 2) return contentOf(number - 2);
  if (number % 10 === 3)
    return `<html><head><title>${harbour}</title></head><p>${answer}</p><p>${rest.join(" ")}</p>`;
  if (number % 10 === 4) return "";
  if (number % 10 === 5) return Uint8Array.from({ length: 500 }, (_, at) => at % 7);
  if (number % 10 === 6) return `春天满月之后两天，${harbour}的潮水最高。${rest.join(" ")}`;
  return [...rest.slice(0, 5), answer, ...rest.slice(5)].join(" ");
}

/** Starts a worker process, whose output is read line by line. */
function startWorker(...args: readonly string[]) {
  if (!existsSync(script))
    throw new Error(`Cannot start ${script}: it is missing. Run "npm run build" first.`);
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const ended = once(child, "exit").then(() => running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Returns the next line that begins with a word. Returns undefined if the process ends first. */
    async next(word: string): Promise<string | undefined> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) return undefined;
        if ((value as string).startsWith(word)) return (value as string).slice(word.length + 1);
      }
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const readReport = async (runs: string, id: string) =>
  JSON.parse(await readFile(join(folder, runs, id, "report.json"), "utf8")) as ResearchReport;
const recordsOf = async (id: string) => {
  const text = await readFile(join(folder, "killed", id, "digests.jsonl"), "utf8").catch(() => "");
  return text.split("\n").length - 1;
};

it("A research that is killed twelve times ends with the same report as an uninterrupted one", async () => {
  const whole = startWorker("start", folder, "whole", "", "0");
  const wholeId = (await whole.next("id")) ?? "";
  expect(await whole.next("ended")).toBe("completed");
  const { research_id: _, ...expected } = await readReport("whole", wholeId);
  expect(expected.counts).toMatchObject({ sources: count, digested: 36, short: 6, failed: 12, duplicate: 6 });

  let worker = startWorker("start", folder, "killed", "", paceMs);
  const id = (await worker.next("id")) ?? "";
  const told: string[] = [];
  for (let kills = 0; kills < 10; kills++) {
    // The kill is before the first output, at the start, or in between. It is never so late that the run would
    // complete.
    const wait = (await recordsOf(id)) > 45 ? 0 : Math.floor(Math.random() * 7);
    for (let lines = 0; lines < wait; lines++) await worker.next("done");
    await pause(Math.random() * 15);
    await worker.kill();
    expect(existsSync(join(folder, "killed", id, "report.json"))).toBe(false);
    told.push(`${await recordsOf(id)}`);
    worker = startWorker("resume", folder, "killed", id, paceMs);
  }
  await worker.next("done");
  await worker.kill();
  // The last process is killed when only the report is missing.
  worker = startWorker("hang", folder, "killed", id, "0");
  expect(await worker.next("asked")).toBe("");
  await worker.kill();
  expect(existsSync(join(folder, "killed", id, "report.json"))).toBe(false);
  worker = startWorker("resume", folder, "killed", id, "0");
  expect(await worker.next("id")).toBe(id);
  expect(await worker.next("done")).toBe(`${count} ${count}`);
  expect(await worker.next("ended")).toBe("completed");
  process.stdout.write(`killed with ${told.join(", ")} and ${count} of ${count} sources done\n`);

  const report = await readReport("killed", id);
  expect(report).toEqual({ research_id: id, ...expected });
  const citations = report.findings.flatMap((finding) => finding.citations);
  expect(citations.length).toBeGreaterThanOrEqual(report.findings.length);
  for (const { source_text_hash, ...citation } of citations) {
    const text = await readFile(join(folder, "kept", source_text_hash.replace("sha256:", "")), "utf8");
    expect(verifySnippet(text, citation)).toBe(true);
  }
  expect((await readdir(join(folder, "killed", id))).sort()).toEqual([
    "digests.jsonl",
    "report.json",
    "run.json",
    "sources.json",
  ]);
  const lines = (await readFile(join(folder, "killed", id, "digests.jsonl"), "utf8")).trimEnd().split("\n");
  const ids = lines.map((line) => (JSON.parse(line) as { source_id: string }).source_id);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
});
