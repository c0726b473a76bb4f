import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settings } from "#built/foundry/config/settings.js";
import { toContractError } from "#built/foundry/research/documents/document-failures.js";
import { typesByExtension } from "#built/foundry/research/documents/document-types.js";
import { UnusableDocument } from "#built/foundry/research/documents/unusable-document.js";
import { unwantedReasons } from "#built/foundry/research/documents/unwanted-documents.js";
import { toSources } from "#built/foundry/research/tool/source-parameters.js";
import { createProgressLine } from "#built/toolkit/cli/progress-line.js";
import { type FakeModel, startFakeModel } from "../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours } from "../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";
import { type Row, readPage, tablesUnder } from "./markdown.ts";
import { type PageBlock, PageRun, readPageBlocks, toComparable } from "./run-page.ts";
import { readSourceFiles } from "./source-files.ts";
import { callCli, cliScript, plainEnv } from "./specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "./specs/workspace.ts";

const digestsPage = "docs/guides/digests.md";
const researchPage = "docs/guides/research.md";
const pages = [digestsPage, researchPage];

const column = (rows: readonly Row[] = [], name: string) => rows.map((row) => row[name] ?? "");

const source = (path: string) => readPage(`packages/foundry/src/${path}.ts`);

/** The address of the model on the page. The fake model has another address on this machine. */
const shownModel = "127.0.0.1:11434";
const modelAnswer = {
  summary: "The sea bulges towards the moon and away from it, and the earth turns under both bulges.",
  key_points: ["Two bulges make two tides a day."],
  quotes: [
    "The sun raises bulges too, with less than half of the force.",
    "The moon pulls twice a day.",
    "Tides are higher in spring.",
  ],
};

/** Finds ids that differ from run to run. Later blocks of a page use these ids. */
const idsIn = (text = "") => text.match(/\bresearch-\d{8}-[0-9a-f]{6}\b|\barc_[0-9a-f]{24}\b/g) ?? [];

/**
 * Returns the output of each block of a page. The blocks run in order, because later blocks depend on the
 * effects of earlier blocks.
 */
async function runPage(page: string): Promise<readonly string[]> {
  const model = await startFakeModel(modelBehaviours.json(JSON.stringify(modelAnswer)));
  const { host } = new URL(model.baseUrl);
  const place = new PageRun(page.replace(/\W+/g, "-"));
  const printed: string[] = [];
  const present = new Map<string, string>();
  try {
    for (const block of readPageBlocks(page)) {
      const code = [...present].reduce((text, [shown, real]) => text.replaceAll(shown, real), block.code);
      const text = await place.run({ ...block, code: code.replaceAll(shownModel, host) });
      printed.push(text.replaceAll(host, shownModel));
      const ids = idsIn(text);
      for (const [at, shown] of idsIn(block.output?.text).entries()) present.set(shown, ids[at] ?? shown);
    }
  } finally {
    await place.close();
    await model.close();
  }
  return printed;
}

const settled = (text = "") =>
  toComparable(text).replace(/\bresearch-\d{8}-[0-9a-f]{6}\b/g, "research-00000000-000000");
/**
 * Finds the hashes of answers. The hashes of canonical texts are the same in every run, but the hashes of answers
 * differ.
 */
const hashesIn = (text = "") =>
  [...text.matchAll(/source_text_hash\\*": ?\\*"(sha256:[0-9a-f]{64})/g)].map(([, hash]) => hash);

describe("the blocks of", () => {
  let printed: readonly (readonly string[])[] = [];

  beforeAll(async () => {
    printed = await Promise.all(pages.map(runPage));
  });

  describe.each(pages.map((page, at) => ({ page, at })))("$page", ({ page, at }) => {
    const blocks = readPageBlocks(page).map((block, index) => ({ ...block, index }));
    const printing = blocks.filter(({ kind }: PageBlock) => kind !== "file");

    it.each(printing)("print what the page says of $index: $title", ({ index, output }) => {
      expect(output, "no output stands after it").toBeDefined();
      expect(settled(printed[at]?.[index])).toBe(settled(output?.text));
      expect(hashesIn(printed[at]?.[index])).toEqual(hashesIn(output?.text));
    });

    it("are there", () => {
      expect(printing.length).toBeGreaterThan(8);
    });
  });
});

/** Returns the members of a union of string literals in a source file. */
function unionOf(text: string, name: string): readonly string[] {
  const [, union = ""] = new RegExp(`type ${name} =([^;]*);`).exec(text) ?? [];
  return [...union.matchAll(/"(\w+)"/g)].map(([, word = ""]) => word);
}

/** Returns the value of a numeric constant in a source file, which may be written as a product. */
function constantOf(path: string, name: string): number {
  const [, value = "NaN"] = new RegExp(`\\b${name} = ([\\d_ *]+)[,;]`).exec(source(path)) ?? [];
  const factors = value.replaceAll("_", "").split(" * ");
  return factors.reduce((product, factor) => {
    const [base, power = 1] = factor.split(" ** ").map(Number);
    return product * (base ?? Number.NaN) ** power;
  }, 1);
}

describe("docs/guides/digests.md", () => {
  it("has every reason for which a document fails, with its code", () => {
    const reasons = unionOf(source("research/documents/unusable-document"), "UnusableReason");
    const [rows = []] = tablesUnder(digestsPage, "## Why a document fails");
    expect(rows.map(({ reason, error_code }) => ({ reason, error_code }))).toEqual(
      reasons.map((reason) => ({
        reason,
        error_code: toContractError(new UnusableDocument(reason as "empty", ""), "it").code,
      })),
    );
    expect(column(rows, "what it means")).not.toContain("");
    expect(reasons.length).toBeGreaterThan(10);
  });

  it("has every field of an answer", () => {
    const [, body = ""] =
      /interface DigestedSource \{\n(.*?)^\}/ms.exec(source("research/tool/digest-source")) ?? [];
    const fields = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, field = ""]) => field);
    const [rows = []] = tablesUnder(digestsPage, "## What is in it");
    expect(column(rows, "field of data").toSorted()).toEqual(fields.toSorted());
    expect(fields.length).toBe(8);
  });

  it("has every ending by which documents are known", () => {
    const [rows = []] = tablesUnder(digestsPage, "## Which documents");
    const told = rows.flatMap(({ kind = "", "known by": known = "" }) =>
      [...known.matchAll(/\.(\w+)/g)].map(([, ending]) => [ending, kind.toLowerCase()]),
    );
    expect(told).toEqual(Object.entries(typesByExtension));
  });

  it("has the limits that the code has", () => {
    const limits = [
      constantOf("research/documents/unusable-document", "maxDocumentBytes") / 2 ** 20,
      constantOf("research/documents/fetch-document", "timeoutMs") / 1_000,
      constantOf("research/documents/fetch-document", "maxRedirects"),
      constantOf("research/documents/digest-pool", "timeoutMs") / 1_000,
      constantOf("research/documents/digest-pool", "megabytes"),
      constantOf("research/digest/digest-text", "maxSnippets"),
      constantOf("research/tool/digest-batch", "maxDocuments"),
      constantOf("research/tool/digest-source", "passageChars"),
    ];
    const [rows = []] = tablesUnder(digestsPage, "## Limits");
    expect(column(rows, "value")).toEqual(limits.map((limit) => limit.toLocaleString("en")));
    expect(constantOf("research/documents/digest-pool", "maxInlineBytes")).toBe(64 * 2 ** 10);
    expect(constantOf("research/tool/digest-batch", "concurrency")).toBe(4);
  });

  it("names the settings of a model that there are", () => {
    const [rows = []] = tablesUnder(digestsPage, "## A model that writes summaries");
    const { model, model_base_url, model_timeout } = settings;
    expect(column(rows, "setting")).toEqual([
      model.env,
      model_base_url.env,
      "FOUNDRY_MODEL_KEY",
      model_timeout.env,
    ]);
    const sources = readSourceFiles().filter((file) => file.package === "foundry" && !file.isTest);
    expect(sources.some(({ path }) => readPage(path).includes('process.env["FOUNDRY_MODEL_KEY"]'))).toBe(
      true,
    );
    expect(readPage(digestsPage)).toContain(
      `time limit for one answer in seconds (default: ${model_timeout.default})`,
    );
  });

  it("promises of its ranking what a test holds", () => {
    const pairs = JSON.parse(readPage("test/fixtures/ranking/pairs.json")) as readonly unknown[];
    const test = readPage("test/research/ranking.test.ts");
    expect(readPage(digestsPage)).toContain(`${pairs.length} questions`);
    expect(readPage(digestsPage)).toContain("at least 85 of 100");
    expect(test).toContain("toBeGreaterThanOrEqual(0.85)");
    expect(test).toContain("toBeGreaterThanOrEqual(2 * (row?.baseline");
  });
});

describe("docs/guides/research.md", () => {
  it("has every outcome of a source", () => {
    const [rows = []] = tablesUnder(researchPage, "## Nothing is skipped in silence");
    expect(column(rows, "outcome")).toEqual(
      unionOf(source("research/runs/research-report"), "SourceOutcome"),
    );
  });

  it("has every reason for which something is left out", () => {
    const texts = [
      "research/runs/source-list",
      "research/search/expand-source",
      "research/documents/list-documents",
    ];
    const reasons = texts.flatMap((path) =>
      [...source(path).matchAll(/reason: "(\w+)"/g)].map(([, reason]) => reason),
    );
    reasons.push(...unwantedReasons);
    const [, rows = []] = tablesUnder(researchPage, "## Nothing is skipped in silence");
    expect(column(rows, "reason").toSorted()).toEqual([...new Set(reasons)].toSorted());
    expect(reasons.length).toBeGreaterThan(4);
  });

  it("has every state of a research", () => {
    const [rows = []] = tablesUnder(researchPage, "## Interrupted");
    expect(column(rows, "state")).toEqual(unionOf(source("research/runs/research-status"), "ResearchState"));
  });

  it("has every file of a research", () => {
    const names = [...source("research/runs/run-folder").matchAll(/"(run\.lock|cancelled|\w+\.jsonl?)"/g)];
    const [rows = []] = tablesUnder(researchPage, "## What is kept, and where");
    expect(column(rows, "file").toSorted()).toEqual([...new Set(names.map(([, name]) => name))].toSorted());
  });

  it("has sources that can be named", () => {
    const [rows = []] = tablesUnder(researchPage, "## Sources");
    const named = column(rows, "source").map((cell) => JSON.parse(cell) as object);
    expect(toSources([], named)).toEqual(named);
    expect([...new Set(named.flatMap(Object.keys))].toSorted()).toEqual([
      ...["content_id", "path", "search", "text", "url"],
    ]);
    expect(constantOf("research/search/expand-source", "defaultLimit")).toBe(20);
  });

  it("has the limits that the code has", () => {
    const text = readPage(researchPage);
    const most = constantOf("research/runs/research-request", "maxSources").toLocaleString("en");
    const usual = constantOf("research/runs/research-request", "max_sources");
    expect(text).toContain(`At most ${usual} sources are read, or \`--max-sources\`, up to ${most}.`);
    expect(text).toContain(`${constantOf("research/runs/extract-findings", "maxFindings")} at most`);
    const quality = source("research/runs/source-quality");
    const [, high] = /highFrom = ([\d.]+)/.exec(quality) ?? [];
    const [, medium] = /mediumFrom = ([\d.]+)/.exec(quality) ?? [];
    expect(text).toContain(`\`high\` from ${high}, \`medium\` from ${medium}, else \`low\``);
  });

  it("shows how far a research is as a terminal shows it", () => {
    const [, shown = ""] = /^```text\n(\[#.*)\n```$/m.exec(readPage(researchPage)) ?? [];
    const written: string[] = [];
    const stderr = { isTTY: true, columns: 100, write: (text: string) => written.push(text) > 0 };
    const line = createProgressLine({ stderr } as unknown as Parameters<typeof createProgressLine>[0]);
    line.show({ progress: 4, total: 5, message: "library/note.txt: short" });
    expect(written.map((text) => text.replace("\r\u001b[2K", ""))).toEqual([shown]);
    expect(shown).not.toBe("");
  });
});

describe("a research that is interrupted, as docs/guides/research.md has it", () => {
  let place: TestWorkspace;
  let model: FakeModel;
  let hears: (() => void) | undefined;
  const started: ChildProcess[] = [];
  const cli = (...argv: string[]) => callCli(["research", ...argv], { cwd: place.folder });

  beforeAll(async () => {
    place = await createWorkspace();
    await mkdir(join(place.folder, "library"));
    await writeFile(join(place.folder, "library/note.txt"), "Two tides a day, says the pilot.");
    // The model is called after all sources are digested, and never answers. The state at this point is therefore the
    // same in every run.
    model = await startFakeModel(() => hears?.());
  });
  afterAll(async () => {
    for (const child of started) if (child.exitCode === null) child.kill("SIGKILL");
    await model.close();
    await place.remove();
  });

  it.each([
    ["Ctrl-C", "SIGINT"],
    ["kill -9", "SIGKILL"],
  ] as const)("by %s is in the list, and goes on to its report", async (_, signal) => {
    const isAsked = new Promise<void>((resolve) => {
      hears = resolve;
    });
    const env = { FOUNDRY_MODEL: "m", FOUNDRY_MODEL_BASE_URL: model.baseUrl };
    const child = spawn(process.execPath, [cliScript, "research", "start", "two tides", "library"], {
      cwd: place.folder,
      env: { ...plainEnv(place.folder), ...env },
      stdio: "ignore",
    });
    started.push(child);
    const ended = once(child, "exit");
    await isAsked;
    child.kill(signal);
    await ended;
    const { data } = await cli("list");
    const [first] = data["researches"] as readonly { research_id: string; state: string }[];
    expect(first?.state).toBe("interrupted");
    const id = first?.research_id ?? "";
    expect((await cli("resume", id)).data).toMatchObject({ state: "completed", progress: { done: 1 } });
    expect((await cli("report", id)).data).toMatchObject({ summary_by: "extraction" });
    expect((await cli("verify", "--research-id", id)).data).toMatchObject({ verified: true, checked: 1 });
  });
});
