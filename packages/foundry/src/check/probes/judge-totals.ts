import type { RowWalk } from "./name-rows.ts";
import { isStable, type ListOutcome, type SeenList, type Shown } from "./seen-list.ts";
import type { WalkedPage } from "./walk-pages.ts";

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
