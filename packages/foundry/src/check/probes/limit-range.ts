import { isRecord } from "@foundry-mcp/contract";
import { flattenSchema } from "../schemas/flatten-schema.ts";
import { getOwn, toList, type UntrustedSchema } from "../schemas/json-schema.ts";

/** The limits that a list accepts. */
export interface LimitRange {
  readonly min: number;
  readonly max: number;
  /** The only accepted values, if the schema enumerates them. */
  readonly choices?: readonly number[] | undefined;
}

/** Bounds that a schema or a refusal states. A bound that is not stated is undefined. */
export interface PartialRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * `defaultLimit` is the limit to request if no maximum is known. `maxLimit` is the largest limit that is ever
 * requested.
 */
const defaultLimit = 100;
const maxLimit = 1_000;
/**
 * The smallest limit that the checker requests. With one row per page, a list whose pages overlap by one row would
 * never advance.
 */
const minSmallLimit = 2;

/** Returns the branch of a schema that admits numbers, or undefined if no branch does. */
export function numericBranchOf(schema: UntrustedSchema): UntrustedSchema | undefined {
  const flat = flattenSchema(schema, schema);
  if (flat === undefined) return undefined;
  const branches = [...toList(flat["anyOf"]), ...toList(flat["oneOf"])]
    .filter(isRecord)
    .map((branch) => flattenSchema(branch, schema))
    .filter((branch) => branch !== undefined);
  return [flat, ...branches].find(isNumeric);
}

function isNumeric(schema: UntrustedSchema): boolean {
  const types = [getOwn(schema, "type")].flat();
  return types.includes("integer") || types.includes("number");
}

/** Returns the bounds in the schema of a limit. */
export function statedRange(schema: UntrustedSchema): PartialRange {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = numericBranchOf(schema) ?? {};
  return {
    min: toBound(minimum, Math.ceil) ?? toBound(exclusiveMinimum, (bound) => Math.floor(bound) + 1),
    max: toBound(maximum, Math.floor) ?? toBound(exclusiveMaximum, (bound) => Math.ceil(bound) - 1),
  };
}

function toBound(bound: unknown, round: (bound: number) => number): number | undefined {
  return typeof bound === "number" && Number.isFinite(bound) ? round(bound) : undefined;
}

/** Returns the limits to choose from: the limits of the schema, within the bounds that a refusal stated. */
export function limitRangeOf(schema: UntrustedSchema, named: PartialRange = {}): LimitRange {
  const stated = statedRange(schema);
  const min = Math.max(1, stated.min ?? 1, named.min ?? 1);
  const max = Math.min(maxLimit, stated.max ?? named.max ?? defaultLimit, named.max ?? maxLimit);
  const choices = toList(numericBranchOf(schema)?.["enum"]).filter(
    (choice): choice is number => typeof choice === "number" && choice >= 1,
  );
  return { min, max: Math.max(min, max), ...(choices.length === 0 ? {} : { choices }) };
}

/** Returns the accepted limit that is nearest to the wanted limit. */
export function toLimit(wanted: number, { min, max, choices }: LimitRange): number {
  if (choices !== undefined) {
    const sorted = choices.toSorted((a, b) => a - b);
    return sorted.find((choice) => choice >= wanted) ?? sorted.at(-1) ?? wanted;
  }
  return Math.min(Math.max(wanted, min), max);
}

/**
 * Returns the limit of the walk with small pages. The limit is small enough for several pages. The limit is also
 * below the largest limit, so that the pages of the two walks end at different rows.
 */
export function smallLimitOf(known: number, pages: number, range: LimitRange): number {
  const wanted = known <= minSmallLimit ? 1 : Math.max(minSmallLimit, Math.ceil(known / pages));
  const below = Math.max(1, range.max > 2 * minSmallLimit ? Math.floor(range.max / 2) : range.max - 1);
  return toLimit(Math.min(wanted, below), range);
}

const between = /(\d+)\s*(?:\.{2,3}|–|—|-|to|and)\s*(\d+)/i;
const atMost =
  /(?:at most|up to|less than or equal to|no more than|not exceed|max(?:imum)?|<=|≤)\D{0,12}?(\d+)/i;
const atLeast = /(?:at least|greater than or equal to|no less than|min(?:imum)?|>=|≥)\D{0,12}?(\d+)/i;

/** Parses the range that the text of a refusal states. */
export function parseRange(text: string): PartialRange {
  const [, low, high] = between.exec(text) ?? [];
  if (low !== undefined && high !== undefined && Number(low) <= Number(high))
    return { min: Number(low), max: Number(high) };
  const [max, min] = [atMost.exec(text)?.[1], atLeast.exec(text)?.[1]];
  return {
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
}
