import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { toContractError } from "../documents/document-failures.ts";
import type { LeftOut } from "../documents/list-documents.ts";
import type { DocumentSource } from "../documents/load-document.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import { unwantedReasons } from "../documents/unwanted-documents.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { SourceFailure } from "../runs/source-failure.ts";
import { sourceKey, sourceName } from "../runs/source-name.ts";
import { type DigestedSource, type DigestInput, digestSource } from "./digest-source.ts";
import type { DigestDeps } from "./research.ts";

/** The result of a batch. */
export interface DigestBatch {
  readonly digested: number;
  readonly short: number;
  readonly failed: number;
  readonly digests: readonly DigestedRow[];
  readonly failures: readonly FailedRow[];
  /** Files of folders that are not documents, documents beyond a limit, and repeated sources. */
  readonly left_out: readonly LeftOut[];
}

/** A source that was digested. If the source is too short for a digest, `text` is its whole text. */
export interface DigestedRow
  extends Omit<DigestedSource, "source">,
    Pick<DigestedSource["source"], "name" | "source_text_hash" | "title"> {
  readonly text?: string;
  /** The digest as JSON text, if it was asked for. */
  readonly content?: string;
}

/** A source that failed. */
export interface FailedRow extends SourceFailure {
  readonly name: string;
  readonly error_code: string;
}

/** The number of documents that are loaded, digested and summarized at once. */
const concurrency = 4;
/** The maximum number of documents of a batch. */
const maxDocuments = 500;
/** Reasons that do not count as failures. */
const harmlessReasons: ReadonlySet<string> = new Set(["not_a_document", "over_limit", ...unwantedReasons]);
const repeatedError = "It is named more than once";
const tooManyError = `A batch takes ${maxDocuments} documents; the action start takes more`;

/**
 * Digests many sources. If a source fails, the failure is reported with its reason, and the other sources are still
 * digested.
 */
export async function digestBatch(
  deps: DigestDeps,
  sources: readonly ResearchSource[],
  input: DigestInput,
  context: Context,
): Promise<DigestBatch> {
  const { documents, leftOut, failures } = await expandAll(deps, sources, input.query ?? "", context);
  const rows: (DigestedRow | FailedRow)[] = new Array(documents.length);
  let next = 0;
  let done = 0;
  const total = documents.length;
  const work = async () => {
    for (let at = next++; at < total; at = next++) {
      const document = documents[at] as DocumentSource;
      rows[at] = await digestOne(deps, document, input, context);
      context.progress(++done, total, sourceName(document));
    }
  };
  context.progress(0, total, "Digesting");
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  return toResult(rows, failures, leftOut, context);
}

async function expandAll(
  deps: DigestDeps,
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
        if (harmlessReasons.has(problem.reason)) leftOut.push(problem);
        else failures.push(fromProblem(problem));
      for (const { source: document } of expanded.documents) {
        const key = sourceKey(document);
        const name = sourceName(document);
        if (key !== undefined && seen.has(key))
          leftOut.push({ name, reason: "repeated", error: repeatedError });
        else if (documents.length < maxDocuments) documents.push(document);
        else failures.push(fromProblem({ name, reason: "too_many", error: tooManyError }));
        if (key !== undefined) seen.add(key);
      }
    } catch (err) {
      failures.push(fromError(err, sourceName(source)));
    }
  }
  return { documents, leftOut, failures };
}

function fromProblem({ name, reason, error, remediation }: LeftOut): FailedRow {
  return {
    name,
    reason,
    error_code: "VALIDATION_ERROR",
    error: `Cannot read ${JSON.stringify(name)}: ${error}`,
    remediation: remediation ?? "Name fewer or other sources.",
  };
}

async function digestOne(
  deps: DigestDeps,
  document: DocumentSource,
  input: DigestInput,
  context: Context,
): Promise<DigestedRow | FailedRow> {
  const name = sourceName(document);
  try {
    const { source, ...digested } = await digestSource(deps, document, input, context);
    const { source_text_hash, title, content } = source;
    return {
      name,
      source_text_hash,
      ...(title === undefined ? {} : { title }),
      ...digested,
      ...(content === undefined ? {} : { [digested.digest === null ? "text" : "content"]: content }),
    };
  } catch (err) {
    context.signal.throwIfAborted();
    return fromError(err, name);
  }
}

/** Converts an expected error to a row. Rethrows any other error. */
function fromError(err: unknown, name: string): FailedRow {
  const failure = err instanceof UnusableDocument ? toContractError(err, name) : err;
  if (!(failure instanceof ContractError)) throw failure;
  const {
    remediation = "",
    options: { details },
  } = failure;
  const { reason: given } = (details ?? {}) as { readonly reason?: unknown };
  const reason = typeof given === "string" ? given : failure.code.toLowerCase();
  return { name, reason, error_code: failure.code, error: failure.message, remediation };
}

function toResult(
  rows: readonly (DigestedRow | FailedRow)[],
  expansionFailures: readonly FailedRow[],
  left_out: readonly LeftOut[],
  context: Context,
): DigestBatch {
  const digests = rows.filter((row): row is DigestedRow => "digest" in row);
  const failures = [...expansionFailures, ...rows.filter((row): row is FailedRow => "error_code" in row)];
  const short = digests.filter(({ digest }) => digest === null).length;
  const counts = { digested: digests.length - short, short, failed: failures.length };
  const result = { ...counts, digests, failures, left_out };
  const [first] = failures;
  if (first === undefined && digests.length === 0) throw noDocuments(result);
  if (first === undefined) return result;
  const total = digests.length + failures.length;
  if (digests.length === 0)
    throw new ContractError(`None of ${total} sources could be digested: ${first.error}`, {
      errorCode: first.error_code,
      remediation: first.remediation,
      data: result,
    });
  context.warn(
    "PARTIAL_FAILURE",
    `${failures.length} of ${total} sources could not be digested; the list of failures says why`,
    { failed: failures.map(({ name, reason }) => ({ name, reason })) },
  );
  return result;
}

function noDocuments(result: DigestBatch): ContractError {
  return new ContractError("There is no document among the sources", {
    errorCode: "VALIDATION_ERROR",
    remediation:
      "Name files, or folders that hold text, Markdown, HTML or PDF; the answer lists what was left out.",
    details: { field: "sources", constraint: "readable" },
    data: result,
  });
}
