import type { Fidelity } from "../envelope/envelope.ts";

/** What stays of a payload at one level of reduction. */
export interface ReductionLevel {
  readonly fidelity: Fidelity;
  /** Longer texts are cut to their head, or left out where `keeps` is not "all". */
  readonly longestText: number;
  /** Every list keeps at least so many items. */
  readonly fewestItems: number;
  /** An object of more keys than this is a map, whose entries go like the items of a list. */
  readonly mostFields: number;
  /** Which scalars stay. */
  readonly keeps: "all" | "identifiers and short scalars" | "identifiers and counts" | "nothing";
}

/** Tried in this order; the first that can be made to fit is taken. */
export const reductionLevels: readonly ReductionLevel[] = [
  {
    fidelity: "partial",
    keeps: "all",
    longestText: Number.POSITIVE_INFINITY,
    fewestItems: 1,
    mostFields: 32,
  },
  { fidelity: "partial", keeps: "all", longestText: 2_000, fewestItems: 1, mostFields: 32 },
  { fidelity: "partial", keeps: "all", longestText: 400, fewestItems: 1, mostFields: 32 },
  { fidelity: "partial", keeps: "all", longestText: 100, fewestItems: 1, mostFields: 32 },
  {
    fidelity: "summary",
    keeps: "identifiers and short scalars",
    longestText: 80,
    fewestItems: 1,
    mostFields: 8,
  },
  {
    fidelity: "reference_only",
    keeps: "identifiers and counts",
    longestText: 80,
    fewestItems: 0,
    mostFields: 8,
  },
  { fidelity: "reference_only", keeps: "nothing", longestText: 0, fewestItems: 0, mostFields: 0 },
];

const identifier = /^(id|ids|key|hash|uri|ref)$|(_id|_ids|Id|Ids)$/;
const countName = /count|total/i;

/** True when a scalar under this key stays at this level. */
export function keepsScalar(level: ReductionLevel, key: string, value: unknown): boolean {
  if (level.keeps === "all") return true;
  if (level.keeps === "nothing") return false;
  if (typeof value === "string" && value.length > level.longestText) return false;
  if (identifier.test(key)) return true;
  if (level.keeps === "identifiers and short scalars") return true;
  return typeof value === "number" && countName.test(key);
}

/** The name by which an item can be asked for: its own id, where it has one of sensible length. */
export function ownIdOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const record = item as Readonly<Record<string, unknown>>;
  const name = Object.hasOwn(record, "id") ? "id" : Object.keys(record).find((key) => /_id$/.test(key));
  const id = name === undefined ? undefined : record[name];
  return typeof id === "string" && id !== "" && id.length <= 200 ? id : undefined;
}
