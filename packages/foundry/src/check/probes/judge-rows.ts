import { areAlike, areInOrder, findMissing, findMore, findTwice } from "./compare-walks.ts";
import type { RowWalk, SeenRow } from "./list-rows.ts";
import type { WalkedPage } from "./walk-pages.ts";

/** Judges the rows of a list by what its walks show. */
export function judgeRows(list: SeenList): Readonly<Record<RowRule, ListOutcome>> {
  const { label, small, large } = list;
  const totals = judgeTotals(list);
  const all = [small, ...(large === undefined ? [] : [large])];
  const stopped = all.map((walk) => whyStopped(walk, label)).find((reason) => reason !== undefined);
  const pages = Math.max(...all.map(({ walk }) => walk.pages.length));
  const isShort = pages < 2 && (large?.rows.length ?? 0) <= small.rows.length;
  const short: ListOutcome = { kind: "short", reason: `${label} has no second page` };
  const twice = judgeTwice(list, totals);
  const missing = large === undefined ? judgeByTotal(list, totals) : judgeMissing(list, small, large);
  const settle = (outcome: ListOutcome, isDecided: boolean): ListOutcome => {
    if (outcome.kind === "held" && outcome.broken.length > 0) return outcome;
    if (stopped !== undefined) return { kind: "untold", reason: stopped };
    return isShort && !isDecided ? short : outcome;
  };
  return {
    "MCP-41": settle(twice, false),
    "MCP-42": settle(missing, large === undefined && missing.kind === "held"),
    "MCP-44": totals,
  };
}

/** True where the list may have changed on the way, which would explain what was found. */
export function isDoubtful(outcomes: Readonly<Record<RowRule, ListOutcome>>, areUnique: boolean): boolean {
  const isBroken = (rule: RowRule) => {
    const outcome = outcomes[rule];
    return outcome.kind === "held" && outcome.broken.length > 0;
  };
  return isBroken("MCP-42") || isBroken("MCP-44") || (!areUnique && isBroken("MCP-41"));
}

function whyStopped({ walk }: RowWalk, label: string): string | undefined {
  if (walk.end === "circle") return `${label} sends the same cursor again and again`;
  if (walk.end === "cut") return `${label} says that there is more, and sends no cursor`;
  return walk.end === "broken" ? (walk.reason ?? `${label} gave no page`) : undefined;
}

function judgeTwice(list: SeenList, totals: ListOutcome): ListOutcome {
  const { label, areUnique, small, large } = list;
  if (areUnique) {
    const twice = findTwice(small) ?? (large && findTwice(large));
    return held(twice, "a row comes twice on the way");
  }
  if (large === undefined)
    return isKept(totals)
      ? held(undefined, "")
      : { kind: "outside", reason: `${label} has rows that are alike, so none can be told to come twice` };
  if (!isWhole(small) || !isWhole(large)) return judgeAlike(list, small, large);
  if (!isStable(list)) return changing(label);
  return held(findMore(small, large), "a row comes more often than in larger steps");
}

function judgeMissing(list: SeenList, small: RowWalk, large: RowWalk): ListOutcome {
  const { label, areUnique, again } = list;
  const areStable = isStable(list);
  if (!areUnique) {
    if (!isWhole(small) || !isWhole(large)) return judgeAlike(list, small, large);
    if (!areStable) return changing(label);
    const more = findMore(large, small);
    return held(
      more && { ...more, page: small.walk.pages.at(-1) ?? more.page },
      "a row is missing on the way",
    );
  }
  const remains = new Set((again ?? large).rows.map(({ name }) => name));
  const names = new Set(large.rows.map(({ name }) => name));
  const isOther = (rows: RowWalk["rows"], known: ReadonlySet<string>) =>
    rows.length > 0 && !rows.some(({ name }) => known.has(name));
  if (isOther(large.rows, remains) || (!isWhole(small) && isOther(small.rows, names)))
    return { kind: "untold", reason: `${label} gives other rows at every call` };
  if (!(isWhole(small) && isWhole(large)) && !areInOrder(small, large))
    return { kind: "untold", reason: `${label} gives its rows in another order each time` };
  const missing =
    findMissing(small, large, (name) => remains.has(name)) ??
    // What only the small steps show may have come in between, unless nothing else has changed.
    (areStable ? findMissing(large, small) : undefined);
  return held(missing, "a row is missing on the way");
}

/** Rows that may be alike, of a list that was not walked to its end: the beginnings are the same, or say nothing. */
function judgeAlike({ label }: SeenList, small: RowWalk, large: RowWalk): ListOutcome {
  return areAlike(small, large)
    ? held(undefined, "")
    : { kind: "untold", reason: `${label} has rows that are alike, and too many of them to compare` };
}

/** Where rows can be seen in one way only, their number alone can tell. */
function judgeByTotal({ label }: SeenList, totals: ListOutcome): ListOutcome {
  if (isKept(totals)) return held(undefined, "");
  if (totals.kind === "held")
    return { kind: "untold", reason: `${label} has pages of one size only, and its total_count is wrong` };
  return {
    kind: "outside",
    reason: `${label} has pages of one size only, and no total_count that can be counted: nobody can see what is missing`,
  };
}

function changing(label: string): ListOutcome {
  return { kind: "untold", reason: `${label} has rows that are alike, and changes from call to call` };
}

function isWhole({ walk }: RowWalk): boolean {
  return walk.end === "complete";
}

function isKept(outcome: ListOutcome): boolean {
  return outcome.kind === "held" && outcome.broken.length === 0 && outcome.kept > 0;
}

function held(row: SeenRow | undefined, message: string): ListOutcome {
  if (row === undefined) return { kind: "held", kept: 1, broken: [] };
  return { kind: "held", kept: 0, broken: [{ page: row.page, message, evidence: row.name }] };
}

/** Judges what the pages of a list say of the number of its rows. */
export function judgeTotals(list: SeenList): ListOutcome {
  const { label, small, large, again } = list;
  const walks = [small, large, again].filter((walk) => walk !== undefined);
  const pages = walks.flatMap(({ walk }) => walk.pages).filter(({ pagination }) => hasTotal(pagination));
  if (pages.length === 0) return { kind: "outside", reason: `${label} says no total_count` };
  if (!isStable(list)) return judgeSinglePages(walks, label);
  const whole = walks.filter(({ walk }) => walk.end === "complete");
  if (whole.length > 0) {
    const count = countRows(list, whole);
    return toOutcome(pages, (total) => total === count, `and the pages hold ${count} rows`);
  }
  const seen = countRows(list, walks);
  const outcome = toOutcome(pages, (total) => total >= seen, `and ${seen} rows came`);
  if (outcome.kind === "held" && outcome.broken.length > 0) return outcome;
  const broken = walks.find(({ walk }) => walk.end === "broken")?.walk.reason;
  if (broken !== undefined) return { kind: "untold", reason: broken };
  return {
    kind: "outside",
    reason: `${label} cannot be counted: ${seen} rows came, which its total_count allows, and there are more`,
  };
}

/** A list that changes can be counted where all of it is on one page. */
function judgeSinglePages(walks: readonly RowWalk[], label: string): ListOutcome {
  const single = walks.filter(({ walk }) => walk.end === "complete" && walk.pages.length === 1);
  const outcomes = single.flatMap(({ walk, rows }) =>
    walk.pages
      .filter(({ pagination }) => hasTotal(pagination))
      .map((page) => ({ page, count: rows.length, total: page.pagination.total_count })),
  );
  if (outcomes.length === 0)
    return { kind: "outside", reason: `${label} changes from call to call, so it cannot be counted` };
  const broken = outcomes
    .filter(({ total, count }) => total !== count)
    .map(({ page, count, total }) =>
      toShown(page, `total_count is ${total}, and the pages hold ${count} rows`),
    );
  return { kind: "held", kept: outcomes.length - broken.length, broken };
}

/** Each row once, where rows can be told apart; else as many as came on the way with the fewest pages. */
function countRows({ areUnique, large, small }: SeenList, walks: readonly RowWalk[]): number {
  if (areUnique) return new Set(walks.flatMap(({ rows }) => rows.map(({ name }) => name))).size;
  const chosen = [large, small].find((walk) => walk !== undefined && walks.includes(walk)) ?? small;
  if (chosen.walk.end !== "circle") return chosen.rows.length;
  const [first] = chosen.walk.pages;
  return chosen.rows.filter(({ page }) => page === first).length;
}

function toOutcome(
  pages: readonly WalkedPage[],
  isRight: (total: number) => boolean,
  instead: string,
): ListOutcome {
  const broken = pages
    .filter(({ pagination }) => !isRight(Number(pagination.total_count)))
    .map((page) => toShown(page, `total_count is ${page.pagination.total_count}, ${instead}`));
  return { kind: "held", kept: pages.length - broken.length, broken };
}

function toShown(page: WalkedPage, message: string): Shown {
  const evidence = JSON.stringify(page.pagination);
  return { page, message, evidence, path: "$.meta.pagination.total_count" };
}

function hasTotal({ total_count: total }: WalkedPage["pagination"]): boolean {
  return typeof total === "number";
}

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
