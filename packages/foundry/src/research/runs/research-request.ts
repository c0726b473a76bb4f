import { type ContractError, validationError } from "@foundry-mcp/contract";
import type { DocumentSource } from "../documents/load-document.ts";

/** A source, which is a document, all documents of a folder (if `path` is a folder), or the hits of a search. */
export interface ResearchSource extends DocumentSource {
  /** The name of a search provider. If it is set, `path` is the folder to search. */
  readonly search?: string | undefined;
  /** The maximum number of documents from a folder or a search. */
  readonly limit?: number | undefined;
}

/** The question and sources of a research run. */
export interface ResearchRequest {
  readonly question: string;
  readonly sources: readonly ResearchSource[];
  /**
   * The maximum number of documents, at most 1000.
   * @default 200
   */
  readonly max_sources?: number | undefined;
  /** The number of quotes from each source, at most 10. @default 5 */
  readonly snippets?: number | undefined;
  /**
   * True if the configured model writes the summary.
   * @default true
   */
  readonly use_model?: boolean | undefined;
}

/** A request with its defaults filled in. */
export interface ResolvedRequest extends ResearchRequest {
  readonly max_sources: number;
  readonly snippets: number;
}

/** The maximum number of documents of a research run. */
export const maxSources = 1_000;
const maxSnippets = 10;
/** The maximum length of a question in UTF-16 units. */
const maxQuestionLength = 50_000;

const locations = ["path", "text", "url", "content_id"] as const;

/** Validates a request and fills in its defaults. Throws a ContractError for an invalid request. */
export function resolveRequest(request: ResearchRequest): ResolvedRequest {
  const { question, sources, max_sources = 200, snippets = 5, use_model = true } = request;
  if (typeof question !== "string" || question.trim() === "")
    throw invalidRequest(
      "question",
      "required",
      "it needs a question",
      "Say in question what is to be found out.",
    );
  if (question.length > maxQuestionLength)
    throw invalidRequest(
      "question",
      "maxLength",
      `the question has more than ${maxQuestionLength.toLocaleString("en")} characters`,
      "Ask shorter, and give long texts as sources.",
    );
  if (!Array.isArray(sources) || sources.length === 0)
    throw invalidRequest(
      "sources",
      "minItems",
      "it needs sources",
      "Name at least one file, folder, text, URL or search.",
    );
  if (sources.length > maxSources)
    throw invalidRequest(
      "sources",
      "maxItems",
      `more than ${maxSources} sources are named`,
      "Name folders instead of their files.",
    );
  return {
    question,
    sources: sources.map(validateSource),
    max_sources: requireCount(max_sources, "max_sources", maxSources),
    snippets: requireCount(snippets, "snippets", maxSnippets),
    use_model,
  };
}

function validateSource(source: ResearchSource, at: number): ResearchSource {
  const field = `sources[${at}]`;
  const given = [...locations, "search" as const].filter((each) => source?.[each] !== undefined);
  const isSearch =
    source?.search !== undefined && given.every((each) => each === "search" || each === "path");
  if (given.length !== 1 && !isSearch)
    throw invalidRequest(
      field,
      "oneOf",
      `${field} is not exactly one of ${locations.join(", ")} and search`,
      `Give ${field} one of them.`,
    );
  for (const location of given) {
    const value = source[location];
    // An empty text is reported later, when the text is read.
    if (typeof value !== "string" || (location !== "text" && value.trim() === ""))
      throw invalidRequest(
        `${field}.${location}`,
        "minLength",
        `${field}.${location} is empty`,
        `Say in ${location} what is to be read.`,
      );
  }
  if (source.limit !== undefined) requireCount(source.limit, `${field}.limit`, maxSources);
  return source;
}

function requireCount(value: number, field: string, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidRequest(
    field,
    "maximum",
    `${field} is no whole number from 1 to ${max}`,
    `Set ${field} to a number from 1 to ${max}.`,
  );
}

function invalidRequest(field: string, constraint: string, why: string, remediation: string): ContractError {
  return validationError(
    { field, constraint },
    { message: `Cannot start the research: ${why}`, remediation },
  );
}
