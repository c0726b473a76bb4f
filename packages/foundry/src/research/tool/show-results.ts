import type { Envelope } from "@foundry-mcp/contract";
import type { DigestPayload } from "@foundry-mcp/contract/digest";
import { type Canvas, pluralize, toVisible } from "@foundry-mcp/toolkit/cli";
import type { ResearchReport } from "../runs/research-report.ts";
import type { DigestBatch } from "./digest-batch.ts";
import type { DigestedSource } from "./digest-source.ts";
import type { Verification } from "./verify-digest.ts";

/** Renders one or many digests for a terminal; returns undefined for any other data. */
export function showDigest(
  { data }: Envelope<DigestedSource | DigestBatch>,
  canvas: Canvas,
): string | undefined {
  if (isBatch(data)) return showBatch(data, canvas);
  if (!isDigested(data)) return undefined;
  const { digest, source } = data;
  return showOne(digest, toHeading(source.name, source.title), source.content, canvas);
}

// An answer that was reduced to its budget, or that failed, may lack the members of its payload.
const isBatch = (data: object): data is DigestBatch => "digests" in data;
const isDigested = (data: object): data is DigestedSource => "digest" in data;
const isReport = (data: object): data is ResearchReport => "findings" in data;
const isVerification = (data: object): data is Verification => "snippets" in data;

function showBatch({ digested, short, digests, failures, left_out }: DigestBatch, canvas: Canvas): string {
  const { bold, red, dim } = canvas.colors;
  return [
    ...digests.map(({ digest, title, name, text = "" }) =>
      showOne(digest, toHeading(name, title), text, canvas),
    ),
    ...failures.map(({ error, remediation }) => `${red(toVisible(error))}\n${toVisible(remediation)}\n`),
    ...(left_out.length === 0
      ? []
      : [dim(`Left out: ${left_out.map(({ name }) => toVisible(name)).join(", ")}\n`)]),
    bold(`${digested} digested, ${short} too short for that, ${failures.length} failed`),
    "",
  ].join("\n");
}

function showOne(digest: DigestPayload | null, name: string, fullText: string, { colors }: Canvas): string {
  const { bold, dim } = colors;
  if (digest === null)
    return `${bold(toVisible(name))} ${dim("(too short to digest)")}\n\n${toVisible(fullText)}\n`;
  const quotes = digest.evidence_snippets.map(
    ({ text, locator, relevance_score }) =>
      `  “${toVisible(text)}”\n  ${dim(`${locator}, relevance ${relevance_score.toFixed(2)}`)}\n`,
  );
  const share = `${digest.digest_chars} of ${digest.original_chars} characters`;
  return [
    bold(toVisible(name)),
    "",
    toVisible(digest.summary),
    "",
    ...quotes,
    dim(`${share}, ${digest.source_text_hash}`),
    "",
  ].join("\n");
}

/** The heading has the name too, because titles are not unique. */
function toHeading(name: string, title: string | undefined): string {
  return title === undefined ? name : `${title} (${name})`;
}

/** A report as data or as Markdown. */
export type ShownReport =
  | ResearchReport
  | (Pick<ResearchReport, "research_id" | "counts"> & { readonly markdown: string });

/** Renders a report for a terminal; returns undefined for any other data. */
export function showReport({ data }: Envelope<ShownReport>, { colors }: Canvas): string | undefined {
  if ("markdown" in data) return `${toVisible(String(data.markdown), { keepLines: true })}\n`;
  if (!isReport(data)) return undefined;
  const { question, summary, findings, sources } = data;
  const { bold, dim, red } = colors;
  const names = new Map(sources.map(({ source_id, title, name }) => [source_id, title ?? name]));
  const found = findings.flatMap(({ claim, citations }, at) => [
    `${bold(`[${at + 1}]`)} ${toVisible(claim)}`,
    ...citations.map(({ source_id, locator }) =>
      dim(`    ${toVisible(names.get(source_id) ?? source_id)}, ${locator}`),
    ),
  ]);
  const failed = sources.flatMap(({ outcome, name, error = "" }) =>
    outcome === "failed" ? [red(`${toVisible(name)}: ${toVisible(error)}`)] : [],
  );
  return `${[bold(toVisible(question)), "", toVisible(summary), "", ...found, "", ...failed].join("\n")}\n`;
}

/** Renders a verification for a terminal, passed or failed; returns undefined for any other data. */
export function showVerification({ data }: Envelope<Verification>, { colors }: Canvas): string | undefined {
  if (!isVerification(data)) return undefined;
  const { verified, checked, snippets, problems } = data;
  const wrong = snippets.filter((each) => !each.verified);
  const lines = [
    verified
      ? colors.green(`${pluralize(checked, "quote")} checked: all are in the source`)
      : colors.red("Not verified"),
    ...wrong.map(({ locator, source_text_hash, reason }) => {
      const why = reason === undefined ? "not there" : "not checked: the text is not kept";
      return `${colors.red("✗")} ${toVisible(locator)} of ${source_text_hash}: ${why}`;
    }),
    ...problems.map((problem) => `${colors.red("✗")} ${toVisible(problem)}`),
  ];
  return `${lines.join("\n")}\n`;
}
