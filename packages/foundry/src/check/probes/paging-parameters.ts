import type { Parameter } from "../arguments/parameters.ts";
import type { ToolDefinition } from "../observe/definition.ts";
import { numericBranchOf } from "./limit-range.ts";

/** The paging parameters of a tool. A parameter that the tool does not take is undefined. */
export interface PagingParameters {
  readonly cursor?: Parameter | undefined;
  readonly limit?: Parameter | undefined;
}

/** Names in order of preference, compared without case, underscores and hyphens. */
const cursorNames = [
  "cursor",
  "nextcursor",
  "pagecursor",
  "pagetoken",
  "nextpagetoken",
  "nexttoken",
  "continuationtoken",
  "after",
];
const limitNames = ["limit", "pagesize", "perpage", "maxresults", "count"];

/** Finds the paging parameters by their name or description. A parameter is undefined if its meaning is in doubt. */
export function pagingParametersOf({ parameters }: ToolDefinition): PagingParameters {
  const texts = parameters.filter(isText);
  const numbers = parameters.filter(({ schema }) => numericBranchOf(schema) !== undefined);
  return {
    cursor: byName(texts.filter(isPosition), cursorNames) ?? texts.find(isDescribedAsCursor),
    limit: byName(numbers, limitNames),
  };
}

/**
 * Returns true if a tool has a cursor parameter. The name `after` alone is not enough, because it may have another
 * meaning.
 */
export function takesCursor(definition: ToolDefinition): boolean {
  const { cursor } = pagingParametersOf(definition);
  return cursor !== undefined && plainName(cursor) !== "after";
}

function byName(parameters: readonly Parameter[], names: readonly string[]): Parameter | undefined {
  return names
    .map((name) => parameters.find((parameter) => plainName(parameter) === name))
    .find((parameter) => parameter !== undefined);
}

function plainName({ name }: Parameter): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

function isText({ schema }: Parameter): boolean {
  const branches = [schema, ...[schema["anyOf"], schema["oneOf"]].flat()] as readonly unknown[];
  const types = branches.flatMap((each) => (each as { type?: unknown } | undefined)?.type);
  return types.includes("string") || types.every((type) => type === undefined);
}

/** Returns false for a parameter `after` that takes a date or a time. */
function isPosition(parameter: Parameter): boolean {
  const { format, description } = parameter.schema;
  if (plainName(parameter) !== "after") return true;
  return format === undefined && !/\b(?:date|time|day|since|timestamp)/i.test(String(description ?? ""));
}

function isDescribedAsCursor({ schema }: Parameter): boolean {
  return /meta\.pagination\.cursor|\b(?:cursor|token) (?:of|for|from) the (?:next|previous|last) page/i.test(
    String(schema["description"] ?? ""),
  );
}
