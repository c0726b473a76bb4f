import type { Parameter } from "../arguments/parameters.ts";
import type { ToolDefinition } from "../observe/definition.ts";
import { settleNumber } from "./limit-range.ts";

/** The parameters of a tool by which its lists are paged; undefined for what it does not take. */
export interface PagingParameters {
  readonly cursor?: Parameter | undefined;
  readonly limit?: Parameter | undefined;
}

/** In the order in which they are preferred, without case and underscores. */
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

/** Finds the parameters whose name or description leaves no doubt; a list that pages otherwise has none. */
export function pagingParametersOf({ parameters }: ToolDefinition): PagingParameters {
  const texts = parameters.filter(isText);
  const numbers = parameters.filter(({ schema }) => settleNumber(schema) !== undefined);
  return {
    cursor: byName(texts.filter(isPosition), cursorNames) ?? texts.find(isDescribedAsCursor),
    limit: byName(numbers, limitNames),
  };
}

/** True where a tool takes what can be nothing but a cursor: `after` alone could be something else. */
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

/** What comes after a day or a moment is no page. */
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
