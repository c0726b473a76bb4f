import { findDuplicate, findMissing, findSurplus, haveSameOrder, haveSameStart } from "./compare-walks.ts";
import type { KeyedRow, RowWalk } from "./list-rows.ts";
import type { WalkedPage } from "./walk-pages.ts";

/** A violation of a rule, with the page that shows the violation. */
interface PageViolation {
  readonly page: WalkedPage;
  readonly message: string;
  readonly evidence: string;
  readonly path?: string | undefined;
}

/**
 * The outcome of a rule for one list. `not_checked`: the rule applies but could not be exercised. `too_short`: the
 * list has too few rows to exercise the rule. `not_applicable`: the list has nothing that the rule is about, or
 * nothing that a caller could observe.
 */
export type ListOutcome =
  | { readonly kind: "judged"; readonly passed: number; readonly violations: readonly PageViolation[] }
  | { readonly kind: "not_checked" | "too_short" | "not_applicable"; readonly reason: string };

/** The rules about the rows of several pages. */
export type RowRule = "MCP-41" | "MCP-42" | "MCP-44";

/** A list and the walks through it. */
export interface ObservedList {
  readonly label: string;
  readonly areUnique: boolean;
  /** The walk with small pages, or the only walk. */
  readonly small: RowWalk;
  /**
   * The walk with large pages, if the list takes a limit. In a repetition, the large walk is made before the small
   * walk.
   */
  readonly large?: RowWalk | undefined;
  /**
   * A repetition of the large walk or of the only walk, made after the other walks. Rows that are in the first walk
   * and in the repetition existed during all walks.
   */
  readonly again?: RowWalk | undefined;
}

/** Applies the rules about rows to the walks through a list. */
export function judgeRows(list: ObservedList): Readonly<Record<RowRule, ListOutcome>> {
  const { label, small, large } = list;
  const totals = judgeTotals(list);
  const all = [small, ...(large === undefined ? [] : [large])];
  const stopped = all.map((walk) => stopReasonOf(walk, label)).find((reason) => reason !== undefined);
  const pages = Math.max(...all.map(({ walk }) => walk.pages.length));
  const isTooShort = pages < 2 && (large?.rows.length ?? 0) <= small.rows.length;
  const tooShort: ListOutcome = { kind: "too_short", reason: `${label} has no second page` };
  const duplicates = judgeDuplicates(list, totals);
  const missing = large === undefined ? judgeByTotal(list, totals) : judgeMissing(list, small, large);
  const settle = (outcome: ListOutcome, isDecided: boolean): ListOutcome => {
    if (outcome.kind === "judged" && outcome.violations.length > 0) return outcome;
    if (stopped !== undefined) return { kind: "not_checked", reason: stopped };
    return isTooShort && !isDecided ? tooShort : outcome;
  };
  return {
    "MCP-41": settle(duplicates, false),
    "MCP-42": settle(missing, large === undefined && missing.kind === "judged"),
    "MCP-44": totals,
  };
}

/** Returns true if a change of the list between the walks could explain the violations. */
export function mayHaveChanged(
  outcomes: Readonly<Record<RowRule, ListOutcome>>,
  areUnique: boolean,
): boolean {
  const isBroken = (rule: RowRule) => {
    const outcome = outcomes[rule];
    return outcome.kind === "judged" && outcome.violations.length > 0;
  };
  return isBroken("MCP-42") || isBroken("MCP-44") || (!areUnique && isBroken("MCP-41"));
}

function stopReasonOf({ walk }: RowWalk, label: string): string | undefined {
  if (walk.end === "cycle") return `${label} sends the same cursor again and again`;
  if (walk.end === "no_cursor") return `${label} says that there is more, and sends no cursor`;
  return walk.end === "failed" ? (walk.reason ?? `${label} gave no page`) : undefined;
}

function judgeDuplicates(list: ObservedList, totals: ListOutcome): ListOutcome {
  const { label, areUnique, small, large } = list;
  if (areUnique) {
    const duplicate = findDuplicate(small) ?? (large && findDuplicate(large));
    return toJudged(duplicate, "a row comes twice on the way");
  }
  if (large === undefined)
    return hasPassed(totals)
      ? toJudged(undefined, "")
      : {
          kind: "not_applicable",
          reason: `${label} has rows that are alike, so none can be told to come twice`,
        };
  if (!isComplete(small) || !isComplete(large)) return judgeStarts(list, small, large);
  if (!isStable(list)) return unstable(label);
  return toJudged(findSurplus(small, large), "a row comes more often than in larger steps");
}

function judgeMissing(list: ObservedList, small: RowWalk, large: RowWalk): ListOutcome {
  const { label, areUnique, again } = list;
  const areStable = isStable(list);
  if (!areUnique) {
    if (!isComplete(small) || !isComplete(large)) return judgeStarts(list, small, large);
    if (!areStable) return unstable(label);
    const more = findSurplus(large, small);
    return toJudged(
      more && { ...more, page: small.walk.pages.at(-1) ?? more.page },
      "a row is missing on the way",
    );
  }
  const remains = new Set((again ?? large).rows.map(({ key }) => key));
  const keys = new Set(large.rows.map(({ key }) => key));
  const isOther = (rows: RowWalk["rows"], known: ReadonlySet<string>) =>
    rows.length > 0 && !rows.some(({ key }) => known.has(key));
  if (isOther(large.rows, remains) || (!isComplete(small) && isOther(small.rows, keys)))
    return { kind: "not_checked", reason: `${label} gives other rows at every call` };
  if (!(isComplete(small) && isComplete(large)) && !haveSameOrder(small, large))
    return { kind: "not_checked", reason: `${label} gives its rows in another order each time` };
  const missing =
    findMissing(small, large, (key) => remains.has(key)) ??
    // A row that is only on the small pages may be new, unless the list did not change.
    (areStable ? findMissing(large, small) : undefined);
  return toJudged(missing, "a row is missing on the way");
}

/**
 * Compares the starts of two walks through a list that has equal rows and was not read to its end. If the starts of
 * the walks differ, no rule is known to be broken.
 */
function judgeStarts({ label }: ObservedList, small: RowWalk, large: RowWalk): ListOutcome {
  return haveSameStart(small, large)
    ? toJudged(undefined, "")
    : { kind: "not_checked", reason: `${label} has rows that are alike, and too many of them to compare` };
}

/** Judges a list with only one page size, in which only total_count can reveal missing rows. */
function judgeByTotal({ label }: ObservedList, totals: ListOutcome): ListOutcome {
  if (hasPassed(totals)) return toJudged(undefined, "");
  if (totals.kind === "judged")
    return {
      kind: "not_checked",
      reason: `${label} has pages of one size only, and its total_count is wrong`,
    };
  return {
    kind: "not_applicable",
    reason: `${label} has pages of one size only, and no total_count that can be counted: nobody can see what is missing`,
  };
}

function unstable(label: string): ListOutcome {
  return { kind: "not_checked", reason: `${label} has rows that are alike, and changes from call to call` };
}

function isComplete({ walk }: RowWalk): boolean {
  return walk.end === "complete";
}

function hasPassed(outcome: ListOutcome): boolean {
  return outcome.kind === "judged" && outcome.violations.length === 0 && outcome.passed > 0;
}

function toJudged(row: KeyedRow | undefined, message: string): ListOutcome {
  if (row === undefined) return { kind: "judged", passed: 1, violations: [] };
  return { kind: "judged", passed: 0, violations: [{ page: row.page, message, evidence: row.key }] };
}

/** Compares total_count with the number of rows. */
function judgeTotals(list: ObservedList): ListOutcome {
  const { label, small, large, again } = list;
  const walks = [small, large, again].filter((walk) => walk !== undefined);
  const pages = walks.flatMap(({ walk }) => walk.pages).filter(({ pagination }) => hasTotal(pagination));
  if (pages.length === 0) return { kind: "not_applicable", reason: `${label} says no total_count` };
  if (!isStable(list)) return judgeSinglePages(walks, label);
  const whole = walks.filter(({ walk }) => walk.end === "complete");
  if (whole.length > 0) {
    const count = countRows(list, whole);
    return toOutcome(pages, (total) => total === count, `and the pages hold ${count} rows`);
  }
  const seen = countRows(list, walks);
  const outcome = toOutcome(pages, (total) => total >= seen, `and ${seen} rows came`);
  if (outcome.kind === "judged" && outcome.violations.length > 0) return outcome;
  const failure = walks.find(({ walk }) => walk.end === "failed")?.walk.reason;
  if (failure !== undefined) return { kind: "not_checked", reason: failure };
  return {
    kind: "not_applicable",
    reason: `${label} cannot be counted: ${seen} rows came, which its total_count allows, and there are more`,
  };
}

/** Judges a list that changes. The rows of such a list can be counted only if all of them are on one page. */
function judgeSinglePages(walks: readonly RowWalk[], label: string): ListOutcome {
  const single = walks.filter(({ walk }) => walk.end === "complete" && walk.pages.length === 1);
  const outcomes = single.flatMap(({ walk, rows }) =>
    walk.pages
      .filter(({ pagination }) => hasTotal(pagination))
      .map((page) => ({ page, count: rows.length, total: page.pagination.total_count })),
  );
  if (outcomes.length === 0)
    return { kind: "not_applicable", reason: `${label} changes from call to call, so it cannot be counted` };
  const violations = outcomes
    .filter(({ total, count }) => total !== count)
    .map(({ page, count, total }) =>
      toTotalViolation(page, `total_count is ${total}, and the pages hold ${count} rows`),
    );
  return { kind: "judged", passed: outcomes.length - violations.length, violations };
}

/** Counts distinct rows if keys are unique. Otherwise, counts the rows of the walk with the fewest pages. */
function countRows({ areUnique, large, small }: ObservedList, walks: readonly RowWalk[]): number {
  if (areUnique) return new Set(walks.flatMap(({ rows }) => rows.map(({ key }) => key))).size;
  const chosen = [large, small].find((walk) => walk !== undefined && walks.includes(walk)) ?? small;
  if (chosen.walk.end !== "cycle") return chosen.rows.length;
  const [first] = chosen.walk.pages;
  return chosen.rows.filter(({ page }) => page === first).length;
}

function toOutcome(
  pages: readonly WalkedPage[],
  isRight: (total: number) => boolean,
  instead: string,
): ListOutcome {
  const violations = pages
    .filter(({ pagination }) => !isRight(Number(pagination.total_count)))
    .map((page) => toTotalViolation(page, `total_count is ${page.pagination.total_count}, ${instead}`));
  return { kind: "judged", passed: pages.length - violations.length, violations };
}

function toTotalViolation(page: WalkedPage, message: string): PageViolation {
  const evidence = JSON.stringify(page.pagination);
  return { page, message, evidence, path: "$.meta.pagination.total_count" };
}

function hasTotal({ total_count: total }: WalkedPage["pagination"]): boolean {
  return typeof total === "number";
}

/** Returns true if the list did not change between the walks. */
function isStable({ small, large, again }: ObservedList): boolean {
  return again === undefined || haveSameStart(large ?? small, again);
}
