import { type ContractError, validationError } from "@foundry-mcp/contract";
import type { DocumentSource } from "../documents/document-source.ts";

/** A document, every document of a folder (a path that is a folder), or what a search provider finds. */
export interface ResearchSource extends DocumentSource {
  /** The search provider that is asked; a path beside it is the folder that it is to look into. */
  readonly search?: string | undefined;
  /** How many documents of a folder or a search at most. */
  readonly limit?: number | undefined;
}

/** What is to be found out, and where. */
export interface ResearchRequest {
  readonly question: string;
  readonly sources: readonly ResearchSource[];
  /** @default 200, at most 1000 */
  readonly max_sources?: number | undefined;
  /** Quotes of each source, at most 10. @default 5 */
  readonly snippets?: number | undefined;
  /** Whether a model that is configured may write the summary. @default true */
  readonly use_model?: boolean | undefined;
}

/** A request whose defaults are filled in. */
export interface SettledRequest extends ResearchRequest {
  readonly max_sources: number;
  readonly snippets: number;
}

/** No research reads more documents. */
export const mostSources = 1_000;
/** A digest holds no more quotes. */
const mostSnippets = 10;
/** In UTF-16 units. */
const longestQuestion = 50_000;

const places = ["path", "text", "url", "content_id"] as const;

/** Fills in what a request leaves open; one that cannot be carried out is refused, and says why. */
export function settleRequest(request: ResearchRequest): SettledRequest {
  const { question, sources, max_sources = 200, snippets = 5, use_model = true } = request;
  if (typeof question !== "string" || question.trim() === "")
    throw refusal("question", "required", "it needs a question", "Say in question what is to be found out.");
  if (question.length > longestQuestion)
    throw refusal(
      "question",
      "maxLength",
      `the question has more than ${longestQuestion.toLocaleString("en")} characters`,
      "Ask shorter, and give long texts as sources.",
    );
  if (!Array.isArray(sources) || sources.length === 0)
    throw refusal(
      "sources",
      "minItems",
      "it needs sources",
      "Name at least one file, folder, text, URL or search.",
    );
  if (sources.length > mostSources)
    throw refusal(
      "sources",
      "maxItems",
      `more than ${mostSources} sources are named`,
      "Name folders instead of their files.",
    );
  return {
    question,
    sources: sources.map(settleSource),
    max_sources: requireCount(max_sources, "max_sources", mostSources),
    snippets: requireCount(snippets, "snippets", mostSnippets),
    use_model,
  };
}

function settleSource(source: ResearchSource, at: number): ResearchSource {
  const field = `sources[${at}]`;
  const given = [...places, "search" as const].filter((place) => source?.[place] !== undefined);
  const isSearch =
    source?.search !== undefined && given.every((place) => place === "search" || place === "path");
  if (given.length !== 1 && !isSearch)
    throw refusal(
      field,
      "oneOf",
      `${field} is not exactly one of ${places.join(", ")} and search`,
      `Give ${field} one of them.`,
    );
  for (const place of given) {
    const value = source[place];
    // A text may be empty: that is found out, and told, when it is read.
    if (typeof value !== "string" || (place !== "text" && value.trim() === ""))
      throw refusal(
        `${field}.${place}`,
        "minLength",
        `${field}.${place} is empty`,
        `Say in ${place} what is to be read.`,
      );
  }
  if (source.limit !== undefined) requireCount(source.limit, `${field}.limit`, mostSources);
  return source;
}

function requireCount(value: number, field: string, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refusal(
    field,
    "maximum",
    `${field} is no whole number from 1 to ${most}`,
    `Set ${field} to a number from 1 to ${most}.`,
  );
}

function refusal(field: string, constraint: string, why: string, remediation: string): ContractError {
  return validationError(
    { field, constraint },
    { message: `Cannot start the research: ${why}`, remediation },
  );
}
