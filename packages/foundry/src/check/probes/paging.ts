import { isRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, isRefused } from "../observe/observation.ts";
import type { CheckerRuleId } from "../rules/rules.ts";
import { judgeHasMore, judgeLimit } from "./judge-pages.ts";
import { judgeRows, type ListOutcome, mayHaveChanged, type ObservedList } from "./judge-rows.ts";
import { limitRangeOf, statedRange, toLimit } from "./limit-range.ts";
import { arrayPathsIn, chooseRowKey, findRows } from "./list-rows.ts";
import { pagingParametersOf } from "./paging-parameters.ts";
import { type Baseline, labelOf, type ProbeDeps, without } from "./probe.ts";
import { toPage, type Walk, type WalkedPage, walkPages } from "./walk-pages.ts";
import { type PagedList, walkWithTwoLimits } from "./walk-with-two-limits.ts";

/** Walks a list with two page sizes, compares the walks and checks them against the rules about lists. */
export async function probePaging(baseline: Baseline, deps: ProbeDeps): Promise<void> {
  const { operation, args } = baseline;
  const { cursor, limit } = pagingParametersOf(operation.definition);
  const own = cursor === undefined ? args : without(args, cursor.name);
  const first =
    toPage(baseline.observation) ?? (await askForPage({ ...baseline, args: own }, cursor, limit, deps));
  if (first === undefined) return;
  const list: PagedList = {
    tool: operation.tool,
    label: labelOf(operation),
    args: own,
    cursor,
    limit,
    first,
  };
  if (cursor === undefined) exemptCursorRules(list, deps);
  await judgeWalks(list, deps);
  if (cursor !== undefined) await probeBadCursors(list, cursor, deps);
  if (limit !== undefined) await probeBadLimits(list, limit, deps);
  else
    for (const rule of ["MCP-45", "MCP-47"] as const)
      deps.ledger.exempt(rule, `${list.label} takes no limit`);
}

/** Requests a page with a limit, because some lists send pages only if the caller passes a limit. */
async function askForPage(
  { operation, args, observation }: Baseline,
  cursor: Parameter | undefined,
  limit: Parameter | undefined,
  { session }: ProbeDeps,
): Promise<WalkedPage | undefined> {
  if (cursor === undefined || limit === undefined || arrayPathsIn(observation).length === 0) return undefined;
  if (!session.isCallable(operation.tool)) return undefined;
  const small = toLimit(2, limitRangeOf(limit.schema));
  return toPage(await session.call(operation.tool, { ...args, [limit.name]: small }));
}

async function judgeWalks(list: PagedList, deps: ProbeDeps): Promise<void> {
  const { session } = deps;
  const { label, cursor } = list;
  const { small, large, refused } = await walkWithTwoLimits(session, list);
  const walks = large === undefined ? [small] : [small, large];
  // Without a cursor parameter, only the first page was read, so has_more cannot be checked.
  const judged = walks.filter(({ end }) => cursor !== undefined || end === "complete");
  for (const walk of judged) judgeHasMore(walk, deps.ledger);
  const hasPages = walks.some(({ pages }) => pages.length > 0);
  if (!hasPages) skipAll(["MCP-46"], small.reason ?? `${label} gave no page`, label, deps);
  const path = findRows(walks);
  if (path === "none" && hasPages && walks.every(isOfText)) {
    for (const rule of ["MCP-41", "MCP-42", "MCP-44", "MCP-45"] as const)
      deps.ledger.exempt(rule, `${label} pages a text, not a list`);
    return;
  }
  if (typeof path === "string") {
    const reason = !hasPages
      ? (small.reason ?? `${label} gave no page`)
      : path === "none"
        ? `there is no list in the data of ${label}`
        : `there are several lists in the data of ${label}, and it is unknown which of them has the rows`;
    const rules = cursor === undefined ? [] : (["MCP-41", "MCP-42"] as const);
    skipAll(
      [...rules, "MCP-44", ...(list.limit === undefined ? [] : (["MCP-45"] as const))],
      reason,
      label,
      deps,
    );
    return;
  }
  for (const walk of walks) judgeLimit(walk, path, deps.ledger);
  if (refused !== undefined) skipAll(["MCP-45"], refused, label, deps);
  const { toRows, areUnique } = chooseRowKey(walks, large ?? small, path);
  const known: ObservedList = { label, areUnique, small: toRows(small), large: large && toRows(large) };
  let outcomes = judgeRows(known);
  if (mayHaveChanged(outcomes, areUnique)) {
    // The list may have changed between the walks, so only rows that existed before and after the walks count.
    const between = large === undefined ? small : await walkPages(session, small.options);
    const again = await walkPages(session, (large ?? small).options);
    outcomes = judgeRows({ ...known, small: toRows(between), again: toRows(again) });
  }
  const rules = cursor === undefined ? (["MCP-44"] as const) : (["MCP-41", "MCP-42", "MCP-44"] as const);
  for (const rule of rules) record(rule, outcomes[rule], label, deps);
}

function record(rule: CheckerRuleId, outcome: ListOutcome, label: string, { ledger }: ProbeDeps): void {
  switch (outcome.kind) {
    case "judged":
      for (let index = 0; index < outcome.passed; index++) ledger.pass(rule);
      for (const { page, message, evidence, path } of outcome.violations)
        ledger.fail(rule, evidenceOf(page.observation, message, { evidence: toEvidence(evidence), path }));
      return;
    case "not_checked":
      ledger.skip(rule, outcome.reason, label);
      return;
    case "too_short":
      // The skip is recorded without a subject, because another list may have enough rows.
      ledger.skip(rule, outcome.reason);
      return;
    case "not_applicable":
      ledger.exempt(rule, outcome.reason);
  }
}

/** Returns true if every page contains a text of page_size characters. In this case, the tool pages a text. */
function isOfText({ pages }: Walk): boolean {
  return pages.every(({ observation, pagination }) => {
    const data: unknown = observation.envelope?.data;
    const texts = Object.values(isRecord(data) ? data : {}).filter((value) => typeof value === "string");
    return texts.some((text) => [...text].length === pagination.page_size);
  });
}

function skipAll(
  rules: readonly CheckerRuleId[],
  reason: string,
  label: string,
  { ledger }: ProbeDeps,
): void {
  for (const rule of rules) ledger.skip(rule, reason, label);
}

function exemptCursorRules({ label }: PagedList, { ledger }: ProbeDeps): void {
  const reason = `${label} takes no parameter that is known to be a cursor`;
  for (const rule of ["MCP-41", "MCP-42", "MCP-43", "MCP-46"] as const) ledger.exempt(rule, reason);
}

/** Cursors that the server never issued. */
const badCursors = ["foundry-check-no-cursor", "eyJmb3VuZHJ5LWNoZWNrIjoxfQ"];
const badLimits = [0, -5];

/** Checks that invalid cursors are refused. */
async function probeBadCursors(list: PagedList, { name }: Parameter, deps: ProbeDeps): Promise<void> {
  for (const cursor of badCursors)
    await expectRefusal(
      list,
      deps,
      "MCP-43",
      { [name]: cursor },
      "a cursor that is none is answered with a page",
    );
}

/** Checks that invalid limits are refused. */
async function probeBadLimits(list: PagedList, limit: Parameter, deps: ProbeDeps): Promise<void> {
  const { min } = statedRange(limit.schema);
  // A limit that the schema admits counts as valid.
  const bad = badLimits.filter((value) => min === undefined || value < min);
  for (const value of bad) {
    const message = `${limit.name} ${value} is answered with a page`;
    await expectRefusal(list, deps, "MCP-47", { [limit.name]: value }, message);
  }
  if (bad.length === 0) deps.ledger.exempt("MCP-47", `${list.label} takes every limit, by its schema`);
}

async function expectRefusal(
  { tool, label, args }: PagedList,
  { session, ledger }: ProbeDeps,
  rule: "MCP-43" | "MCP-47",
  bad: Readonly<Record<string, unknown>>,
  message: string,
): Promise<void> {
  const unanswered = `${label} left calls unanswered`;
  if (!session.isCallable(tool)) return ledger.skip(rule, session.stopReason ?? unanswered, label);
  const observation = await session.call(tool, { ...args, ...bad });
  if (!isAnswered(observation)) return ledger.skip(rule, session.stopReason ?? unanswered, label);
  ledger.record(rule, isRefused(observation) ? undefined : evidenceOf(observation, message));
}
