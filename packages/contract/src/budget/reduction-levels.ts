import type { Fidelity } from "../envelope/envelope.ts";

/** What stays of a payload at one level of reduction. */
export interface ReductionLevel {
  readonly fidelity: Fidelity;
  /** Which scalars stay. */
  readonly keeps: "all" | "identifiers and short scalars" | "identifiers and counts" | "nothing";
  /** Texts are cut as well as lists. */
  readonly cutsTexts: boolean;
  /** Every list keeps at least so many items. */
  readonly fewestItems: number;
  /** An object of more keys than this is a map, whose entries go like the items of a list. */
  readonly mostFields: number;
}

/**
 * Tried in this order; the first that can be made to fit is taken. The last but one is for deep trees
 * of small objects, where even the skeleton is too long: it keeps one branch.
 */
export const reductionLevels: readonly ReductionLevel[] = [
  { fidelity: "partial", keeps: "all", cutsTexts: false, fewestItems: 1, mostFields: 32 },
  { fidelity: "partial", keeps: "all", cutsTexts: true, fewestItems: 1, mostFields: 32 },
  {
    fidelity: "summary",
    keeps: "identifiers and short scalars",
    cutsTexts: false,
    fewestItems: 1,
    mostFields: 8,
  },
  {
    fidelity: "reference_only",
    keeps: "identifiers and counts",
    cutsTexts: false,
    fewestItems: 0,
    mostFields: 8,
  },
  {
    fidelity: "summary",
    keeps: "identifiers and short scalars",
    cutsTexts: false,
    fewestItems: 1,
    mostFields: 1,
  },
  { fidelity: "reference_only", keeps: "nothing", cutsTexts: false, fewestItems: 0, mostFields: 0 },
];

/** A text of at most so many characters is short. */
const shortText = 80;

const identifier = /^(id|ids|key|hash|uri|ref)$|(_id|_ids|Id|Ids)$/;
const countName = /count|total/i;

/** True when a scalar under this key stays at this level. */
export function keepsScalar({ keeps }: ReductionLevel, key: string, value: unknown): boolean {
  if (keeps === "all") return true;
  if (typeof value === "string" && value.length > shortText) return false;
  if (keeps === "identifiers and short scalars" || identifier.test(key)) return true;
  return typeof value === "number" && countName.test(key);
}

/** The name by which an item can be asked for: its own id, where it has one of sensible length. */
export function ownIdOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const record = item as Readonly<Record<string, unknown>>;
  // What is undefined is not written: whoever reads the answer finds the next.
  const isWritten = (key: string) => Object.hasOwn(record, key) && record[key] !== undefined;
  const name = isWritten("id") ? "id" : Object.keys(record).find((key) => /_id$/.test(key) && isWritten(key));
  const id = name === undefined ? undefined : record[name];
  return typeof id === "string" && id !== "" && id.length <= 200 ? id : undefined;
}
