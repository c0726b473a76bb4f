import { isRecord } from "@foundry-mcp/contract";
import { getOwn, toList, type UntrustedSchema } from "../schemas/json-schema.ts";
import { settleSchema } from "../schemas/settle-schema.ts";

/** Which limits a list takes. */
export interface LimitRange {
  readonly least: number;
  readonly most: number;
  /** The only ones, where the schema enumerates them. */
  readonly choices?: readonly number[] | undefined;
}

/** What the schema or a refusal says of the range; undefined where it says nothing. */
export interface ToldRange {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** A limit that is asked for where nothing says how large it may be, and the largest that is asked for at all. */
const usual = 100;
const largest = 1_000;
/** With one row a page, a page that begins with the last row of the one before would never get on. */
const smallestStep = 2;

/** The part of a schema that admits numbers; undefined where none does. */
export function settleNumber(schema: UntrustedSchema): UntrustedSchema | undefined {
  const settled = settleSchema(schema, schema);
  if (settled === undefined) return undefined;
  const branches = [...toList(settled["anyOf"]), ...toList(settled["oneOf"])]
    .filter(isRecord)
    .map((branch) => settleSchema(branch, schema))
    .filter((branch) => branch !== undefined);
  return [settled, ...branches].find(isNumeric);
}

function isNumeric(schema: UntrustedSchema): boolean {
  const types = [getOwn(schema, "type")].flat();
  return types.includes("integer") || types.includes("number");
}

/** The bounds that the schema of a limit states. */
export function statedRange(schema: UntrustedSchema): ToldRange {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = settleNumber(schema) ?? {};
  return {
    least: toBound(minimum, Math.ceil) ?? toBound(exclusiveMinimum, (bound) => Math.floor(bound) + 1),
    most: toBound(maximum, Math.floor) ?? toBound(exclusiveMaximum, (bound) => Math.ceil(bound) - 1),
  };
}

function toBound(bound: unknown, round: (bound: number) => number): number | undefined {
  return typeof bound === "number" && Number.isFinite(bound) ? round(bound) : undefined;
}

/** The limits to choose from: as the schema states them, within what a refusal told. */
export function limitRangeOf(schema: UntrustedSchema, told: ToldRange = {}): LimitRange {
  const stated = statedRange(schema);
  const least = Math.max(1, stated.least ?? 1, told.least ?? 1);
  const most = Math.min(largest, stated.most ?? told.most ?? usual, told.most ?? largest);
  const choices = toList(settleNumber(schema)?.["enum"]).filter(
    (choice): choice is number => typeof choice === "number" && choice >= 1,
  );
  return { least, most: Math.max(least, most), ...(choices.length === 0 ? {} : { choices }) };
}

/** The limit nearest to the one that is wished for. */
export function toLimit(wish: number, { least, most, choices }: LimitRange): number {
  if (choices !== undefined) {
    const sorted = choices.toSorted((a, b) => a - b);
    return sorted.find((choice) => choice >= wish) ?? sorted.at(-1) ?? wish;
  }
  return Math.min(Math.max(wish, least), most);
}

/**
 * The limit of the walk in small steps: so many rows a page that several pages come, and less than the
 * largest, so that the pages of the two walks end in different places.
 */
export function stepOf(known: number, pages: number, range: LimitRange): number {
  const wish = known <= smallestStep ? 1 : Math.max(smallestStep, Math.ceil(known / pages));
  const below = Math.max(1, range.most > 2 * smallestStep ? Math.floor(range.most / 2) : range.most - 1);
  return toLimit(Math.min(wish, below), range);
}

const between = /(\d+)\s*(?:\.{2,3}|–|—|-|to|and)\s*(\d+)/i;
const atMost =
  /(?:at most|up to|less than or equal to|no more than|not exceed|max(?:imum)?|<=|≤)\D{0,12}?(\d+)/i;
const atLeast = /(?:at least|greater than or equal to|no less than|min(?:imum)?|>=|≥)\D{0,12}?(\d+)/i;

/** The range that the texts of a refusal name. */
export function rangeInText(text: string): ToldRange {
  const [, low, high] = between.exec(text) ?? [];
  if (low !== undefined && high !== undefined && Number(low) <= Number(high))
    return { least: Number(low), most: Number(high) };
  const [most, least] = [atMost.exec(text)?.[1], atLeast.exec(text)?.[1]];
  return {
    ...(least === undefined ? {} : { least: Number(least) }),
    ...(most === undefined ? {} : { most: Number(most) }),
  };
}
