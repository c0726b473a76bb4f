import { ContractError } from "@foundry-mcp/contract";
import type { DigestPayload } from "@foundry-mcp/contract/digest";
import type { Context } from "@foundry-mcp/toolkit";
import { toContractError } from "../documents/document-failures.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { LeftOut } from "../runs/run-deps.ts";
import { sourceKey, sourceName } from "../runs/source-name.ts";
import { type DigestedSource, type DigestInput, digestSource } from "./digest-source.ts";
import type { ResearchDeps } from "./research.ts";

/** What came of many sources. */
export interface DigestBatch {
  readonly digested: number;
  readonly short: number;
  readonly failed: number;
  readonly digests: readonly DigestedRow[];
  readonly failures: readonly FailedRow[];
  /** What folders hold that is no document, and what was too many. */
  readonly left_out: readonly LeftOut[];
}

/** A source that was digested, or was too short: then `text` is the whole of it. */
export interface DigestedRow extends Omit<DigestedSource, "source"> {
  readonly name: string;
  readonly source_text_hash: string;
  readonly title?: string;
  readonly digest: DigestPayload | null;
  readonly text?: string;
}

/** A source that could not be digested, and why. */
export interface FailedRow {
  readonly name: string;
  readonly reason: string;
  readonly error_code: string;
  readonly error: string;
  readonly remediation: string;
}

/** So many are found, read and summarised at once. */
const concurrency = 4;
/** More documents than this are a research, not a batch. */
const mostDocuments = 500;
/** What is left out because nobody would want it. */
const expected: ReadonlySet<string> = new Set(["not_a_document", "over_limit"]);
const repeated = "It is named more than once";
const tooMany = `A batch takes ${mostDocuments} documents; research(action="start") takes more`;

/** Digests many sources; one that fails is named with its reason, and the others go on. */
export async function digestBatch(
  deps: ResearchDeps,
  sources: readonly ResearchSource[],
  wishes: DigestInput,
  context: Context,
): Promise<DigestBatch> {
  const { documents, leftOut, failures } = await expandAll(deps, sources, wishes.query ?? "", context);
  const rows: (DigestedRow | FailedRow)[] = new Array(documents.length);
  let next = 0;
  let done = 0;
  const total = documents.length;
  const work = async () => {
    for (let at = next++; at < total; at = next++) {
      const document = documents[at] as DocumentSource;
      rows[at] = await digestOne(deps, document, wishes, context);
      context.progress(++done, total, sourceName(document));
    }
  };
  context.progress(0, total, "Digesting");
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  return toAnswer(rows, failures, leftOut, context);
}

async function expandAll(
  deps: ResearchDeps,
  sources: readonly ResearchSource[],
  query: string,
  { signal }: Context,
) {
  const documents: DocumentSource[] = [];
  const leftOut: LeftOut[] = [];
  const failures: FailedRow[] = [];
  const seen = new Set<string>();
  for (const source of sources) {
    try {
      const expanded = await deps.expand(source, query, signal);
      for (const problem of expanded.problems)
        if (expected.has(problem.reason)) leftOut.push(problem);
        else failures.push(toProblemRow(problem));
      for (const { source: document } of expanded.documents) {
        const place = sourceKey(document);
        const name = sourceName(document);
        if (place !== undefined && seen.has(place))
          leftOut.push({ name, reason: "repeated", error: repeated });
        else if (documents.length < mostDocuments) documents.push(document);
        else failures.push(toProblemRow({ name, reason: "too_many", error: tooMany }));
        if (place !== undefined) seen.add(place);
      }
    } catch (err) {
      failures.push(toFailedRow(err, sourceName(source)));
    }
  }
  return { documents, leftOut, failures };
}

function toProblemRow({ name, reason, error, remediation }: LeftOut): FailedRow {
  return {
    name,
    reason,
    error_code: "VALIDATION_ERROR",
    error: `Cannot read ${JSON.stringify(name)}: ${error}`,
    remediation: remediation ?? "Name fewer or other sources.",
  };
}

async function digestOne(
  deps: ResearchDeps,
  document: DocumentSource,
  wishes: DigestInput,
  context: Context,
): Promise<DigestedRow | FailedRow> {
  const name = sourceName(document);
  try {
    const { source, ...told } = await digestSource(deps, document, wishes, context);
    const { source_text_hash, title, content } = source;
    return {
      name,
      source_text_hash,
      ...(title === undefined ? {} : { title }),
      ...told,
      ...(told.digest === null ? { text: content } : {}),
    };
  } catch (err) {
    context.signal.throwIfAborted();
    return toFailedRow(err, name);
  }
}

/** A failure that says what to do is a row; any other ends the call, and is told by its kind alone. */
function toFailedRow(err: unknown, name: string): FailedRow {
  const failure = err instanceof UnusableDocument ? toContractError(err, name) : err;
  if (!(failure instanceof ContractError)) throw failure;
  const { remediation = "", details } = failure.options;
  const { reason: told } = (details ?? {}) as { readonly reason?: unknown };
  const reason = typeof told === "string" ? told : failure.code.toLowerCase();
  return { name, reason, error_code: failure.code, error: failure.message, remediation };
}

function toAnswer(
  rows: readonly (DigestedRow | FailedRow)[],
  unfound: readonly FailedRow[],
  left_out: readonly LeftOut[],
  context: Context,
): DigestBatch {
  const digests = rows.filter((row): row is DigestedRow => "digest" in row);
  const failures = [...unfound, ...rows.filter((row): row is FailedRow => "error_code" in row)];
  const short = digests.filter(({ digest }) => digest === null).length;
  const counts = { digested: digests.length - short, short, failed: failures.length };
  const answer = { ...counts, digests, failures, left_out };
  const [first] = failures;
  if (first === undefined && digests.length === 0) throw nothingThere(answer);
  if (first === undefined) return answer;
  const total = digests.length + failures.length;
  if (digests.length === 0)
    throw new ContractError(`None of ${total} sources could be digested: ${first.error}`, {
      errorCode: first.error_code,
      remediation: first.remediation,
      data: answer,
    });
  context.warn(
    "PARTIAL_FAILURE",
    `${failures.length} of ${total} sources could not be digested; data.failures says why`,
    { failed: failures.map(({ name, reason }) => ({ name, reason })) },
  );
  return answer;
}

function nothingThere(answer: DigestBatch): ContractError {
  return new ContractError("There is no document among the sources", {
    errorCode: "VALIDATION_ERROR",
    remediation:
      "Name files, or folders that hold text, Markdown, HTML or PDF; data.left_out says what there is.",
    details: { field: "sources", constraint: "readable" },
    data: answer,
  });
}
