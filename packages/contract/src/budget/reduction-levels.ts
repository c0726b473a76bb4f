import type { Fidelity } from "../envelope/envelope.ts";

/** The parts of a payload that one level of reduction keeps. */
export interface ReductionLevel {
  readonly fidelity: Fidelity;
  /** The kinds of scalars (texts, numbers, booleans) that are kept. */
  readonly keeps: "all" | "identifiers and short scalars" | "identifiers and counts" | "nothing";
  /** True if texts are shortened in addition to lists. */
  readonly cutsTexts: boolean;
  /** True if items of whole lists are shortened like any other value. Otherwise they are kept whole or dropped. */
  readonly cutsItems: boolean;
  /** The minimum number of items that every list keeps. A whole list keeps one item as long as its items are not cut. */
  readonly minItems: number;
  /**
   * The maximum number of keys of an ordinary object. An object with more keys is treated as a map, whose entries
   * are dropped like the items of a list.
   */
  readonly maxFields: number;
}

/**
 * The levels in the order in which they are tried; the first level that fits is used. The second to last
 * level is used for a deep tree of small objects whose keys alone are too long: this level keeps one branch
 * of the tree.
 */
export const reductionLevels: readonly ReductionLevel[] = [
  { fidelity: "partial", keeps: "all", cutsTexts: false, cutsItems: false, minItems: 1, maxFields: 32 },
  { fidelity: "partial", keeps: "all", cutsTexts: true, cutsItems: false, minItems: 1, maxFields: 32 },
  { fidelity: "partial", keeps: "all", cutsTexts: true, cutsItems: false, minItems: 0, maxFields: 32 },
  { fidelity: "partial", keeps: "all", cutsTexts: true, cutsItems: true, minItems: 1, maxFields: 32 },
  {
    fidelity: "summary",
    keeps: "identifiers and short scalars",
    cutsTexts: false,
    cutsItems: true,
    minItems: 1,
    maxFields: 8,
  },
  {
    fidelity: "reference_only",
    keeps: "identifiers and counts",
    cutsTexts: false,
    cutsItems: true,
    minItems: 0,
    maxFields: 8,
  },
  {
    fidelity: "summary",
    keeps: "identifiers and short scalars",
    cutsTexts: false,
    cutsItems: true,
    minItems: 1,
    maxFields: 1,
  },
  {
    fidelity: "reference_only",
    keeps: "nothing",
    cutsTexts: false,
    cutsItems: true,
    minItems: 0,
    maxFields: 0,
  },
];

const maxShortText = 80;

const identifier = /^(id|ids|key|hash|uri|ref)$|(_id|_ids|Id|Ids)$/;
const countName = /count|total/i;

/** True if this level keeps a scalar under this key. */
export function keepsScalar({ keeps }: ReductionLevel, key: string, value: unknown): boolean {
  if (keeps === "all") return true;
  if (typeof value === "string" && value.length > maxShortText) return false;
  if (keeps === "identifiers and short scalars" || identifier.test(key)) return true;
  return typeof value === "number" && countName.test(key);
}

/**
 * Returns the id by which an item can be requested: the value of `id`, otherwise the value of the first key that
 * ends in `_id`.
 */
export function ownIdOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const record = item as Readonly<Record<string, unknown>>;
  // JSON leaves out undefined members, so a reader of the response would take the next key for the id.
  const isWritten = (key: string) => Object.hasOwn(record, key) && record[key] !== undefined;
  const name = isWritten("id") ? "id" : Object.keys(record).find((key) => /_id$/.test(key) && isWritten(key));
  const id = name === undefined ? undefined : record[name];
  return typeof id === "string" && id !== "" && id.length <= 200 ? id : undefined;
}
