import { ContractError } from "@foundry-mcp/contract";
import {
  countDigestChars,
  type DigestPayload,
  type EvidenceSnippet,
  verifySnippet,
} from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import { CodePoints } from "../../digest/code-points.ts";
import type { DocumentSource } from "../../documents/document-source.ts";
import type { ResearchReport } from "../../research/research-report.ts";
import type { ResearchEngine } from "./research-engine.ts";

/** What a check of quotes came to. */
export interface Verification {
  readonly verified: boolean;
  readonly checked: number;
  readonly snippets: readonly CheckedSnippet[];
  /** What else is not as the digest says. */
  readonly problems: readonly string[];
}

/** A quote, and whether the text holds it where it says. */
export interface CheckedSnippet {
  readonly source_text_hash: string;
  readonly locator: string;
  readonly verified: boolean;
}

/** Checks every quote of a digest against the canonical text: the one that is kept, or that of the source. */
export async function verifyDigest(
  engine: ResearchEngine,
  digest: DigestPayload,
  source: DocumentSource | undefined,
  context: Context,
): Promise<Verification> {
  const { source_text_hash, evidence_snippets } = digest;
  const text =
    source === undefined
      ? await readKept(engine, source_text_hash, context)
      : await readAnew(engine, source, source_text_hash, context);
  const snippets = evidence_snippets.map((each) => check(text, each, source_text_hash));
  return toAnswer(snippets, problemsOf(digest, text));
}

/** Checks every citation of a report against the texts that were kept. */
export async function verifyReport(
  engine: ResearchEngine,
  { findings }: ResearchReport,
  context: Context,
): Promise<Verification> {
  const citations = findings.flatMap((finding) => finding.citations);
  const snippets: CheckedSnippet[] = [];
  for (const hash of new Set(citations.map(({ source_text_hash }) => source_text_hash))) {
    const text = await readKept(engine, hash, context);
    const cited = citations.filter(({ source_text_hash }) => source_text_hash === hash);
    snippets.push(...cited.map((each) => check(text, each, hash)));
  }
  const unproven = findings.filter(({ claim, citations: [first] }) => claim !== first?.text);
  return toAnswer(
    snippets,
    unproven.map(({ id }) => `${id}: the claim is not what its first citation says`),
  );
}

function check(
  text: string,
  snippet: Pick<EvidenceSnippet, "text" | "locator">,
  source_text_hash: string,
): CheckedSnippet {
  return { source_text_hash, locator: snippet.locator, verified: verifySnippet(text, snippet) };
}

async function readKept(engine: ResearchEngine, hash: string, { principal }: Context): Promise<string> {
  const entry = await engine.archive.find(principal, { hash });
  if (entry === undefined)
    throw new ContractError(`Cannot verify the digest: the text ${hash} is not kept, or no longer`, {
      errorCode: "CONTENT_NOT_FOUND",
      remediation:
        'Name the source of the digest as well, as source={"path": …}, or digest it again: texts are kept for a while.',
      details: { resource_type: "content", resource_id: hash },
    });
  return Buffer.from(await engine.archive.read(entry)).toString("utf8");
}

async function readAnew(
  engine: ResearchEngine,
  source: DocumentSource,
  hash: string,
  { principal, signal }: Context,
): Promise<string> {
  const found = await engine.find(source, principal, signal);
  const document = await engine.pool.digest(found, {}, signal);
  if (document.hash === hash) return Buffer.from(document.text).toString("utf8");
  throw new ContractError(
    "Cannot verify the digest: the source is not the one that it was made of, or has changed",
    {
      errorCode: "CONFLICT",
      remediation: "Name the source as it was, or digest it anew.",
      details: { expected: hash, received: document.hash },
    },
  );
}

function problemsOf(digest: DigestPayload, text: string): readonly string[] {
  const { original_chars, digest_chars } = digest;
  const { total } = new CodePoints(text);
  const counted = countDigestChars(digest);
  return [
    ...(total === original_chars ? [] : [`original_chars is ${original_chars}, and the source has ${total}`]),
    ...(counted === digest_chars ? [] : [`digest_chars is ${digest_chars}, and the digest has ${counted}`]),
  ];
}

function toAnswer(snippets: readonly CheckedSnippet[], problems: readonly string[]): Verification {
  const wrong = snippets.filter(({ verified }) => !verified);
  const answer = {
    verified: wrong.length === 0 && problems.length === 0,
    checked: snippets.length,
    snippets,
    problems,
  };
  if (answer.verified) return answer;
  const found = [
    ...(wrong.length === 0
      ? []
      : [`${wrong.length} of ${snippets.length} quotes are not in the source where they say`]),
    ...problems,
  ];
  throw new ContractError(`The digest does not verify: ${found.join("; ")}`, {
    errorCode: "VALIDATION_ERROR",
    remediation: "Do not cite the quotes that are not verified; digest the source again.",
    details: { field: "digest", constraint: "verified" },
    data: answer,
  });
}
