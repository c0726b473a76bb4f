import { areAlike } from "./compare-walks.ts";
import type { RowWalk } from "./name-rows.ts";
import type { WalkedPage } from "./walk-pages.ts";

/** What a page shows of a broken rule. */
export interface Shown {
  readonly page: WalkedPage;
  readonly message: string;
  readonly evidence: string;
  readonly path?: string | undefined;
}

/**
 * What becomes of a rule on one list. `untold`: it applies and could not be exercised, `short`: for the want
 * of rows; `outside`: the list has nothing that it speaks of, or nothing that a caller could see.
 */
export type ListOutcome =
  | { readonly kind: "held"; readonly kept: number; readonly broken: readonly Shown[] }
  | { readonly kind: "untold" | "short" | "outside"; readonly reason: string };

/** The rules that are about the rows of several pages. */
export type RowRule = "MCP-41" | "MCP-42" | "MCP-44";

/** What is known of a list. */
export interface SeenList {
  readonly label: string;
  readonly areUnique: boolean;
  /** The walk in small steps, or the only one. */
  readonly small: RowWalk;
  /** The walk in large steps, where the list offers that; made before the other where that matters. */
  readonly large?: RowWalk | undefined;
  /** The large walk once more, or the only one, after the other: it shows what was there all the time. */
  readonly again?: RowWalk | undefined;
}

/** True where the list was the same all the time, as far as it was looked at. */
export function isStable({ small, large, again }: SeenList): boolean {
  return again === undefined || areAlike(large ?? small, again);
}
