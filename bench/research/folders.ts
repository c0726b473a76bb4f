import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FolderQuestion, obtainFolder, readFolderSet } from "../../test/research/sets/folder-set.ts";
import { Unavailable } from "../../test/research/sets/obtain-document.ts";
import { type Half, inHalf } from "../../test/research/sets/question-sets.ts";
import { openStdioServer, type StdioServer } from "../specs/stdio-server.ts";
import { countTokens } from "./ranker.ts";
import { citedDocuments, readEnvelope } from "./reports.ts";
import { mean } from "./scores.ts";

/** The number of citations of a report among which the right document must be. */
const citationsLookedAt = 3;
const target = 0.85;

interface Row {
  readonly id: string;
  readonly cited: readonly string[];
  readonly isFound: boolean;
  readonly confidence: string;
  readonly tokens: number;
  readonly seconds: number;
}

/** Asks one half of the questions about a folder of 200 files, and prints which documents the reports cite first. */
export async function askFolder(half: Half): Promise<void> {
  const set = readFolderSet();
  const folder = await mkdtemp(join(tmpdir(), "research-bench-"));
  try {
    const files = await obtainFolder(set, { download: true });
    for (const [name, bytes] of files) {
      const path = join(folder, "docs", name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
    await mkdir(join(folder, "specs"));
    const server = await openStdioServer(folder, ["--tools", "all"]);
    try {
      const rows: Row[] = [];
      for (const each of inHalf(set.questions, half)) rows.push(await askOne(server, each));
      printRows(rows, half);
      await writeReports(server, set.reports);
    } finally {
      await server.close();
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.log(`Questions about a folder: skipped because ${error.message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs research over the folder to its end and returns the id of the run. */
async function startRun(server: StdioServer, question: string): Promise<unknown> {
  const { data } = readEnvelope(
    await server.call("research", { action: "start", question, paths: ["docs"] }),
  );
  return data["research_id"];
}

async function askOne(server: StdioServer, { id, question, documents }: FolderQuestion): Promise<Row> {
  const started = performance.now();
  const request = { action: "report", research_id: await startRun(server, question) };
  const seconds = (performance.now() - started) / 1000;
  const envelope = readEnvelope(await server.call("research", request));
  // By default, the sources that do not fit are left out, and then nothing says which document a citation is from.
  const whole = readEnvelope(await server.call("research", { ...request, max_tokens: 0 }));
  const cited = citedDocuments(whole, "docs/").slice(0, citationsLookedAt);
  return {
    id,
    cited,
    isFound: cited.some((name) => documents.includes(name)),
    confidence: String(envelope.data["confidence"] ?? "not told"),
    tokens: countTokens(JSON.stringify(envelope)),
    seconds,
  };
}

/** Writes the reports that a person reads and grades. */
async function writeReports(server: StdioServer, questions: readonly string[]): Promise<void> {
  const folder = join(".build", "research-reports");
  await mkdir(folder, { recursive: true });
  for (const [at, question] of questions.entries()) {
    const request = { action: "report", research_id: await startRun(server, question), format: "markdown" };
    const { data } = readEnvelope(await server.call("research", request));
    await writeFile(join(folder, `${at + 1}.md`), `${data["markdown"]}\n`);
  }
  console.log(`Wrote ${questions.length} reports to read and grade to ${folder}`);
}

function printRows(rows: readonly Row[], half: Half): void {
  const found = mean(rows.map(({ isFound }) => (isFound ? 1 : 0)));
  console.log(`Questions about a folder of 200 files, half ${half}`);
  console.table([
    {
      questions: rows.length,
      "right document in the first three citations": found.toFixed(2),
      target: `>= ${target}`,
      verdict: found >= target ? "met" : "MISSED",
      "tokens of a report": Math.round(mean(rows.map(({ tokens }) => tokens))),
      "seconds of a run": mean(rows.map(({ seconds }) => seconds)).toFixed(1),
    },
  ]);
  // The questions of the other half are not to be looked at one by one.
  if (half !== "tune") return;
  const missed = rows.filter(({ isFound }) => !isFound);
  for (const { id, cited } of missed) console.log(`${id}: cited ${cited.join(", ") || "nothing"}`);
}
