import type { Envelope } from "@foundry-mcp/contract";
import type { DigestPayload } from "@foundry-mcp/contract/digest";
import { type Canvas, toVisible } from "@foundry-mcp/toolkit/cli";
import type { DigestedMany } from "./digest-many.ts";
import type { DigestedSource } from "./digest-source.ts";

/** What people see of one digest or of many; undefined for what is neither. */
export function showDigest({ data }: Envelope, canvas: Canvas): string | undefined {
  if ("digests" in data) return showMany(data as unknown as DigestedMany, canvas);
  if (!("digest" in data)) return undefined;
  const { digest, source } = data as unknown as DigestedSource;
  return show(digest, toHeading(source.name, source.title), source.content, canvas);
}

function showMany({ digested, short, digests, failures, left_out }: DigestedMany, canvas: Canvas): string {
  const { bold, red, dim } = canvas.colors;
  return [
    ...digests.map(({ digest, title, name, text = "" }) =>
      show(digest, toHeading(name, title), text, canvas),
    ),
    ...failures.map(({ error, remediation }) => `${red(line(error))}\n${line(remediation)}\n`),
    ...(left_out.length === 0
      ? []
      : [dim(`Left out: ${left_out.map(({ name }) => line(name)).join(", ")}\n`)]),
    bold(`${digested} digested, ${short} too short for that, ${failures.length} failed`),
    "",
  ].join("\n");
}

function show(digest: DigestPayload | null, name: string, whole: string, { colors }: Canvas): string {
  const { bold, dim } = colors;
  if (digest === null) return `${bold(line(name))} ${dim("(too short to digest)")}\n\n${line(whole)}\n`;
  const quotes = digest.evidence_snippets.map(
    ({ text, locator, relevance_score }) =>
      `  “${line(text)}”\n  ${dim(`${locator}, relevance ${relevance_score.toFixed(2)}`)}\n`,
  );
  const share = `${digest.digest_chars} of ${digest.original_chars} characters`;
  return [
    bold(line(name)),
    "",
    line(digest.summary),
    "",
    ...quotes,
    dim(`${share}, ${digest.source_text_hash}`),
    "",
  ].join("\n");
}

/** Several documents may have one title. */
function toHeading(name: string, title: string | undefined): string {
  return title === undefined ? name : `${title} (${name})`;
}

/** Texts of others must not steer the terminal. */
function line(text: string): string {
  return toVisible(text);
}
