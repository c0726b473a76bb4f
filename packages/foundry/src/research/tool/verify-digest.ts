import { ContractError } from "@foundry-mcp/contract";
import {
  countDigestChars,
  type DigestPayload,
  type EvidenceSnippet,
  parseLocator,
  verifySnippet,
} from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import { CodePointOffsets } from "../digest/code-point-offsets.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import { toPlainQuote } from "../runs/plain-quote.ts";
import type { Citation, ResearchReport } from "../runs/research-report.ts";
import type { ParsedDigest } from "./parse-digest.ts";
import type { DigestDeps } from "./research.ts";
import { findText, requireText } from "./text-archive.ts";

/** The result of a verification. */
export interface Verification {
  readonly verified: boolean;
  readonly checked: number;
  readonly snippets: readonly CheckedSnippet[];
  /** Further problems of the digest. */
  readonly problems: readonly string[];
}

/** A quote, and the result of checking that it occurs in the text at its locator. */
export interface CheckedSnippet extends Pick<Citation, "source_text_hash" | "locator"> {
  readonly verified: boolean;
  /** The reason why the quote could not be verified. */
  readonly reason?: "not_kept";
}

/**
 * Verifies every quote of a digest. The quotes are compared with the source if a source is passed, and otherwise with
 * the archived text.
 */
export async function verifyDigest(
  deps: DigestDeps,
  { digest, problems }: ParsedDigest,
  source: DocumentSource | undefined,
  context: Context,
): Promise<Verification> {
  const { source_text_hash, evidence_snippets } = digest;
  const { text, pages } =
    source === undefined
      ? { text: await requireText(deps.archive, source_text_hash, context.principal), pages: undefined }
      : await readSource(deps, source, source_text_hash, context);
  const snippets = evidence_snippets.map((each) => verifyQuote(text, each, source_text_hash));
  const found = [
    ...problems,
    ...countProblems(digest, text),
    ...pageProblems(digest, text, source && (pages ?? [])),
  ];
  return toResult("digest", snippets, found);
}

/** Verifies every citation of a report against the archived texts. */
export async function verifyReport(
  archive: ContentArchive,
  { findings, counts }: ResearchReport,
  { principal }: Context,
): Promise<Verification> {
  const citations = findings.flatMap((finding) => finding.citations);
  const snippets: CheckedSnippet[] = [];
  for (const hash of new Set(citations.map(({ source_text_hash }) => source_text_hash))) {
    const text = await findText(archive, hash, principal);
    const cited = citations.filter(({ source_text_hash }) => source_text_hash === hash);
    snippets.push(...cited.map((each) => verifyQuote(text, each, hash)));
  }
  const mismatched = findings.filter(
    ({ claim, citations: [first] }) => claim !== toPlainQuote(first?.text ?? ""),
  );
  const missing = counts.findings - findings.length;
  return toResult("report", snippets, [
    ...mismatched.map(({ id }) => `${id}: the claim is not what its first citation says`),
    ...(missing === 0 ? [] : [`it says that it has ${counts.findings} findings, and has ${findings.length}`]),
  ]);
}

/** Verifies a quote. The text is undefined if it is not archived. */
function verifyQuote(
  text: string | undefined,
  snippet: Pick<EvidenceSnippet, "text" | "locator">,
  source_text_hash: string,
): CheckedSnippet {
  const { locator } = snippet;
  if (text === undefined) return { source_text_hash, locator, verified: false, reason: "not_kept" };
  return { source_text_hash, locator, verified: verifySnippet(text, snippet) };
}

/** Reads the text of a source. Throws a ContractError if its hash differs from the expected hash. */
async function readSource(
  deps: DigestDeps,
  source: DocumentSource,
  hash: string,
  { principal, signal }: Context,
): Promise<{ readonly text: string; readonly pages: readonly number[] | undefined }> {
  const raw = await deps.load(source, principal, signal);
  const { text, pages, ...document } = await deps.pool.digest(raw, {}, signal);
  if (document.hash === hash) return { text: Buffer.from(text).toString("utf8"), pages };
  throw new ContractError(
    "Cannot verify the digest: the source is not the one that it was made of, or has changed",
    {
      errorCode: "CONFLICT",
      remediation: "Name the source as it was, or digest it anew.",
      details: { expected: hash, received: document.hash },
    },
  );
}

function countProblems(digest: DigestPayload, text: string): readonly string[] {
  const { original_chars, digest_chars } = digest;
  const { total } = new CodePointOffsets(text);
  const counted = countDigestChars(digest);
  return [
    ...(digest.evidence_snippets.length === 0 ? ["it has no quotes that could be checked"] : []),
    ...(total === original_chars ? [] : [`original_chars is ${original_chars}, and the source has ${total}`]),
    ...(counted === digest_chars ? [] : [`digest_chars is ${digest_chars}, and the digest has ${counted}`]),
  ];
}

/**
 * Returns the problems of quotes with a wrong page. If the pages are unknown, checks only that a text without page
 * breaks has no page other than 1.
 */
function pageProblems(
  { evidence_snippets }: DigestPayload,
  text: string,
  pages: readonly number[] | undefined,
): readonly string[] {
  const offsets = new CodePointOffsets(text);
  const starts = pages?.map((unit) => offsets.toCodePoints(unit));
  return evidence_snippets.flatMap(({ locator }) => {
    const { page, start } = parseLocator(locator);
    if (page === undefined) return [];
    const isCorrect =
      starts === undefined
        ? page === 1 || text.includes("\n\n")
        : page === starts.findLastIndex((first) => first <= start) + 1;
    return isCorrect ? [] : [`${locator} is not on that page`];
  });
}

/** Returns the verification. If the verification failed, throws a ContractError that contains it. */
function toResult(
  what: "digest" | "report",
  snippets: readonly CheckedSnippet[],
  problems: readonly string[],
): Verification {
  const wrong = snippets.filter(({ verified, reason }) => !verified && reason === undefined).length;
  const unchecked = snippets.filter(({ reason }) => reason !== undefined).length;
  const result = {
    verified: wrong + unchecked === 0 && problems.length === 0,
    checked: snippets.length - unchecked,
    snippets,
    problems,
  };
  if (result.verified) return result;
  const all = pluralize(snippets.length, "quote");
  const found = [
    ...(wrong === 0 ? [] : [`${wrong} of ${all} not in the source at the place that is said`]),
    ...(unchecked === 0 ? [] : [`${unchecked} of ${all} not checked, for the text is not kept any longer`]),
    ...problems,
  ];
  throw new ContractError(`The ${what} does not verify: ${found.join("; ")}`, {
    errorCode: wrong + problems.length > 0 ? "VALIDATION_ERROR" : "CONTENT_NOT_FOUND",
    remediation:
      wrong + problems.length > 0
        ? "Do not cite the quotes that are not verified; digest the source again."
        : "Digest the sources again with {1}, which keeps their texts.",
    remedy: { tool: "research", action: "digest-batch", needs: ["sources"] },
    details: { field: what === "digest" ? "digest" : "research_id", constraint: "verified" },
    data: result,
  });
}
