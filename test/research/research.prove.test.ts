import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import { parseLocator, sourceTextHash, verifySnippet } from "@foundry-mcp/contract/digest";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer, openStdioServer, runCli } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { connectSdk, sdkNames } from "../toolkit/sdk-clients.ts";
import { badSources } from "./bad-sources.ts";
import { readKept } from "./kept-texts.ts";
import {
  badCount,
  type SampleDocument,
  sampleQuestion,
  sampleQuestions,
  writeOddities,
  writeSample,
} from "./sample-folder.ts";

type ResearchReport = import("../../packages/foundry/src/research/runs/research-report.ts").ResearchReport;

// This test makes a research run with the installed programs, over two hundred documents of every type.

let place: TestWorkspace;
let documents: readonly SampleDocument[];
let server: Connection;
let research_id: string;
let report: ResearchReport;

const reportOf = ({ data }: Envelope) => data as unknown as ResearchReport;

beforeAll(async () => {
  place = await createWorkspace();
  const folder = join(place.folder, "docs");
  await mkdir(folder);
  documents = await writeSample(folder, { count: 200 - badCount });
  await writeOddities(folder);
  const run = await runCli(["research", "start", sampleQuestion, "docs"], { cwd: place.folder });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const { data, meta } = JSON.parse(run.stdout) as Envelope;
  const count = (kind: string) => documents.filter((document) => document.kind === kind).length;
  expect(data).toMatchObject({
    state: "completed",
    progress: {
      total: 200,
      done: 200,
      digested: count("digested"),
      short: count("short"),
      failed: badCount,
      duplicate: count("duplicate"),
      left_out: 5,
    },
  });
  expect(meta.warning_details?.map(({ code, message }) => [code, message])).toEqual([
    ["PARTIAL_FAILURE", `${badCount} of 200 sources could not be read; the report names them`],
    ["PARTIAL_FAILURE", "5 left out, by reason: not_found (1), not_a_document (4); the report names them"],
  ]);
  research_id = String(data["research_id"]);
  report = reportOf(await callCli(["research", "report", research_id], { cwd: place.folder }));
  server = await openStdioServer(place.folder);
});
afterAll(async () => {
  await server.close();
  await place.remove();
});

describe("the report on 200 documents", () => {
  it("has claims whose citations are at their locators in the archived texts", async () => {
    const texts = new Map<string, string>();
    let pages = 0;
    const citations = report.findings.flatMap((finding) => finding.citations);
    for (const { source_text_hash: hash } of citations) {
      if (texts.has(hash)) continue;
      const kept = await readKept(server, { hash }, 1_000);
      expect(sourceTextHash(kept.text)).toBe(hash);
      texts.set(hash, kept.text);
      pages += kept.pages;
    }
    expect(pages).toBeGreaterThan(texts.size);
    const names = new Map(report.sources.map((source) => [source.source_id, source]));
    for (const { claim, citations: cited } of report.findings) {
      expect(cited[0]?.text).toBe(claim);
      for (const citation of cited) {
        const text = texts.get(citation.source_text_hash) ?? "";
        const { start, end } = parseLocator(citation.locator);
        expect(verifySnippet(text, citation)).toBe(true);
        expect(Array.from(text).slice(start, end).join("")).toBe(citation.text);
        expect(names.get(citation.source_id)?.source_text_hash).toBe(citation.source_text_hash);
      }
    }
    for (const mark of report.summary.matchAll(/\[(\d+)\]/g))
      expect(report.findings[Number(mark[1]) - 1]).toBeDefined();

    const claims = report.findings.map(({ claim }) => claim);
    expect(claims.length).toBeGreaterThan(10);
    expect(new Set(claims).size).toBe(claims.length);
    process.stdout.write(
      `${claims.length} claims with ${citations.length} citations verified against ${texts.size} texts on ${pages} pages\n`,
    );
  });

  it("verifies, on the command line and over MCP", async () => {
    const checked = report.findings.reduce((sum, { citations }) => sum + citations.length, 0);
    const verified = { verified: true, checked, problems: [] };
    const cli = await callCli(["research", "verify", "--research-id", research_id], { cwd: place.folder });
    expect(cli.data).toMatchObject(verified);
    expect((cli.data["snippets"] as unknown[]).length).toBe(checked);
    const mcp = await server.callTool("research", { action: "verify", research_id, max_tokens: 0 });
    expect(mcp.data).toEqual(cli.data);
  });

  it("accounts for every file of the folder", async () => {
    const entries = await readdir(join(place.folder, "docs"), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(place.folder.length + 1));
    const named = new Set([...report.sources, ...report.left_out].map(({ name }) => name));
    const isNamed = (file: string) =>
      named.has(file) ||
      file.split("/").some((_, at, parts) => named.has(`${parts.slice(0, at).join("/")}/`));
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
    expect(files.length).toBe(205);
    expect([report.sources.length, report.left_out.length]).toEqual([200, report.counts.left_out]);
    expect(Object.fromEntries(report.left_out.map(({ name, reason }) => [name, reason]))).toEqual({
      "docs/.git/": "not_a_document",
      "docs/.hidden.md": "not_a_document",
      "docs/dangling.md": "not_found",
      "docs/node_modules/": "not_a_document",
      "docs/photo.png": "not_a_document",
    });
  });

  it("reports every bad source with a reason and a remediation, and every duplicate with its original", () => {
    const failed = report.sources.filter(({ outcome }) => outcome === "failed");
    const expected = Object.entries(badSources).map(([name, reason]) => [`docs/bad/${name}`, reason]);
    expect(Object.fromEntries(failed.map(({ name, reason }) => [name, reason]))).toEqual(
      Object.fromEntries(expected),
    );
    for (const { name, error, remediation } of failed) {
      expect(error).toContain(JSON.stringify(name));
      expect(remediation).toMatch(/^[A-Z].{20,}\.$/);
    }
    const duplicates = report.sources.filter(({ outcome }) => outcome === "duplicate");
    expect(duplicates.map(({ name }) => name).sort()).toEqual(
      documents
        .filter(({ kind }) => kind === "duplicate")
        .map(({ path }) => `docs/${path}`)
        .sort(),
    );
    const byId = new Map(report.sources.map((source) => [source.source_id, source]));
    for (const { duplicate_of = "", source_text_hash } of duplicates)
      expect(byId.get(duplicate_of)?.source_text_hash).toBe(source_text_hash);
    expect(report.sources.filter(({ is_kept }) => is_kept === false)).toEqual([]);
  });

  it.each(["en", "zh", "ru", "ar"] as const)("finds every answer of a language: %s", async (language) => {
    const cwd = place.folder;
    const { data } = await callCli(["research", "start", sampleQuestions[language], `docs/${language}`], {
      cwd,
    });
    const id = String(data["research_id"]);
    const found = reportOf(await callCli(["research", "report", id], { cwd }));
    const claims = found.findings.map(({ claim }) => claim);
    const written = documents.flatMap(({ kind, path, answer }) =>
      answer !== undefined && kind !== "duplicate" && path.startsWith(language) ? [answer] : [],
    );
    expect(written.length).toBeGreaterThan(4);
    expect(written.filter((answer) => !claims.some((claim) => claim.includes(answer)))).toEqual([]);
    const verified = await callCli(["research", "verify", "--research-id", id], { cwd });
    expect(verified.data).toMatchObject({ verified: true });
  });
});

describe("the report within a budget", () => {
  let http: HttpServer;
  beforeAll(async () => {
    http = await openHttpServer(place.folder);
  });
  afterAll(() => http.close());

  it.each(sdkNames)("fits 1,500 tokens, and the rest can be fetched: %s", async (sdk) => {
    const client = await connectSdk(sdk, { url: http.url });
    try {
      const args = { action: "report", research_id, max_tokens: 1_500 };
      const { content } = await client.callTool({ name: "research", arguments: args });
      const text = content.find(({ type }) => type === "text")?.text ?? "";
      const envelope = JSON.parse(text) as Envelope;
      expect(countTokens(text)).toBeLessThanOrEqual(1_500);
      expect(checkEnvelope(envelope)).toEqual([]);
      expect(["partial", "summary", "reference_only"]).toContain(envelope.meta.content_fidelity);
      const ids = envelope.meta.dropped_content_ids ?? [];
      // Every missing part is named, or is in a list that is named.
      const isKept = (list: string, id: string) =>
        JSON.stringify((envelope.data as Readonly<Record<string, unknown>>)[list] ?? []).includes(`"${id}"`);
      const rows = [
        ...report.findings.map(({ id }) => ["findings", id] as const),
        ...report.sources.map(({ source_id }) => ["sources", source_id] as const),
      ];
      const missing = rows.filter(([list, id]) => !isKept(list, id));
      expect(missing.length).toBeGreaterThan(5);
      expect(missing.filter(([list, id]) => !ids.includes(id) && !ids.includes(`/${list}`))).toEqual([]);
      const [[archive_id, hash] = ["", ""], ...others] = Object.entries(
        envelope.meta.content_archive_hashes ?? {},
      );
      expect(others).toEqual([]);

      // Each part that was left out is equal to the same part of the whole.
      const whole = await readKept(server, { archive_id });
      expect(JSON.parse(whole.text)).toEqual(report);
      expect(whole.pages).toBeGreaterThan(10);
      expect(await readKept(server, { hash }, 0)).toEqual({ text: whole.text, pages: 1 });
      const parts = new Map<string, unknown>([
        ...report.findings.map((finding) => [finding.id, finding] as const),
        ...report.sources.map((source) => [source.source_id, source] as const),
      ]);
      // If parts have no separate entry, the list that contains them has an entry, and is read page by page.
      const lists = ids.filter((id) => id.startsWith("/") && Array.isArray(atPointer(report, id)));
      for (const content_id of lists) {
        const { data } = await server.callTool("content", {
          action: "get",
          archive_id,
          content_id,
          limit: 2,
        });
        expect(data["items"]).toEqual((atPointer(report, content_id) as unknown[]).slice(0, 2));
      }
      for (const content_id of ids.filter((id) => !lists.includes(id))) {
        const { text: kept } = await readKept(server, { archive_id, content_id });
        const expected = content_id.startsWith("/") ? atPointer(report, content_id) : parts.get(content_id);
        // A part that is a text, such as the summary, is not written as JSON.
        const part = typeof expected === "string" ? kept : (JSON.parse(kept) as unknown);
        expect(part, content_id).toEqual(expected);
        expect(part).toBeDefined();
      }
      // No finding is shortened: its claim and its quotes are whole, so they still verify.
      const kept = reportOf(envelope).findings;
      expect(kept.length).toBeGreaterThan(0);
      expect(kept).toEqual(report.findings.slice(0, kept.length));
    } finally {
      await client.close();
    }
  });

  it("is complete without a budget", async () => {
    const whole = await server.callTool("research", { action: "report", research_id, max_tokens: 0 });
    expect(whole.data).toEqual(report);
    expect(whole.meta).not.toHaveProperty("content_fidelity");
  });
});

function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split("/")
    .reduce((at, key) => (at as Readonly<Record<string, unknown>>)[key], value);
}
