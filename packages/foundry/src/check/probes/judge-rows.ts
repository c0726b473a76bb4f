import { areAlike, areInOrder, findMissing, findMore, findTwice } from "./compare-walks.ts";
import { judgeTotals } from "./judge-totals.ts";
import type { RowWalk, SeenRow } from "./name-rows.ts";
import { isStable, type ListOutcome, type RowRule, type SeenList } from "./seen-list.ts";

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
