import type { Envelope } from "@foundry-mcp/contract";
import type { DigestPayload } from "@foundry-mcp/contract/digest";
import { type Canvas, pluralize, toVisible } from "@foundry-mcp/toolkit/cli";
import type { ResearchReport } from "../runs/research-report.ts";
import type { DigestBatch } from "./digest-batch.ts";
import type { DigestedSource } from "./digest-source.ts";
import type { Verification } from "./verify-digest.ts";

/** Renders one or many digests for a terminal; returns undefined for any other data. */
export function showDigest({ data }: Envelope, canvas: Canvas): string | undefined {
  if ("digests" in data) return showBatch(data as unknown as DigestBatch, canvas);
  if (!("digest" in data)) return undefined;
  const { digest, source } = data as unknown as DigestedSource;
  return showOne(digest, toHeading(source.name, source.title), source.content, canvas);
}

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

/** Renders a report for a terminal; returns undefined for any other data. */
export function showReport({ data }: Envelope, { colors }: Canvas): string | undefined {
  if ("markdown" in data) return `${toVisible(String(data["markdown"]), { keepLines: true })}\n`;
  if (!("findings" in data)) return undefined;
  const { question, summary, findings, sources } = data as unknown as ResearchReport;
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
export function showVerification({ data }: Envelope, { colors }: Canvas): string | undefined {
  if (!("snippets" in data)) return undefined;
  const { verified, checked, snippets, problems } = data as unknown as Verification;
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
