import { isRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import type { Subject } from "../observe/definition.ts";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, isRefused } from "../observe/observation.ts";
import type { CheckerRuleId } from "../rules/rules.ts";
import { judgeEnds, judgeLimit } from "./judge-pages.ts";
import { isDoubtful, judgeRows, type ListOutcome, type SeenList } from "./judge-rows.ts";
import { limitRangeOf, statedRange, toLimit } from "./limit-range.ts";
import { findRows, listsIn, nameRows } from "./list-rows.ts";
import { pagingParametersOf } from "./paging-parameters.ts";
import { type Base, type Probing, without } from "./probe.ts";
import { type ListCalls, walkBothWays } from "./walk-with-two-limits.ts";
import { toPage, type Walk, type WalkedPage, walkPages } from "./walk-pages.ts";

/** Walks a list in small steps and in large ones, and holds both to the rules and to each other. */
export async function probePaging(base: Base, probing: Probing): Promise<void> {
  const { subject, args } = base;
  const { cursor, limit } = pagingParametersOf(subject.definition);
  const own = cursor === undefined ? args : without(args, cursor.name);
  const first =
    toPage(base.observation) ?? (await askForPage({ ...base, args: own }, cursor, limit, probing));
  if (first === undefined) return;
  const list: ListCalls = { tool: subject.tool, label: labelOf(subject), args: own, cursor, limit, first };
  if (cursor === undefined) spareCursorRules(list, probing);
  await judgeWalks(list, probing);
  if (cursor !== undefined) await probeBadCursors(list, cursor, probing);
  if (limit !== undefined) await probeBadLimits(list, limit, probing);
  else
    for (const rule of ["MCP-45", "MCP-47"] as const)
      probing.ledger.spare(rule, `${list.label} takes no limit`);
}

/** Some lists send pages only to those who ask for them. */
async function askForPage(
  { subject, args, observation }: Base,
  cursor: Parameter | undefined,
  limit: Parameter | undefined,
  { session }: Probing,
): Promise<WalkedPage | undefined> {
  if (cursor === undefined || limit === undefined || listsIn(observation).length === 0) return undefined;
  if (!session.answers(subject.tool)) return undefined;
  const few = toLimit(2, limitRangeOf(limit.schema));
  return toPage(await session.call(subject.tool, { ...args, [limit.name]: few }));
}

async function judgeWalks(list: ListCalls, probing: Probing): Promise<void> {
  const { session } = probing;
  const { label, cursor } = list;
  const { small, large, refused } = await walkBothWays(session, list);
  const walks = large === undefined ? [small] : [small, large];
  // A list that is not paged by cursors is asked for its first page only.
  const judged = walks.filter(({ end }) => cursor !== undefined || end === "complete");
  for (const walk of judged) judgeEnds(walk, probing);
  const seen = walks.some(({ pages }) => pages.length > 0);
  if (!seen) skipAll(["MCP-46"], small.reason ?? `${label} gave no page`, label, probing);
  const path = findRows(walks);
  if (path === "none" && seen && walks.every(isOfText)) {
    for (const rule of ["MCP-41", "MCP-42", "MCP-44", "MCP-45"] as const)
      probing.ledger.spare(rule, `${label} pages a text, not a list`);
    return;
  }
  if (typeof path === "string") {
    const reason = !seen
      ? (small.reason ?? `${label} gave no page`)
      : path === "none"
        ? `no list stands in the data of ${label}`
        : `several lists stand in the data of ${label}, and it cannot be told which of them has the rows`;
    const rules = cursor === undefined ? [] : (["MCP-41", "MCP-42"] as const);
    skipAll(
      [...rules, "MCP-44", ...(list.limit === undefined ? [] : (["MCP-45"] as const))],
      reason,
      label,
      probing,
    );
    return;
  }
  for (const walk of walks) judgeLimit(walk, path, probing);
  if (refused !== undefined) skipAll(["MCP-45"], refused, label, probing);
  const { toRows, areUnique } = nameRows(walks, large ?? small, path);
  const known: SeenList = { label, areUnique, small: toRows(small), large: large && toRows(large) };
  let outcomes = judgeRows(known);
  if (isDoubtful(outcomes, areUnique)) {
    // The list may have changed on the way: what counts is what was there before and after.
    const between = large === undefined ? small : await walkPages(session, small.options);
    const again = await walkPages(session, (large ?? small).options);
    outcomes = judgeRows({ ...known, small: toRows(between), again: toRows(again) });
  }
  const rules = cursor === undefined ? (["MCP-44"] as const) : (["MCP-41", "MCP-42", "MCP-44"] as const);
  for (const rule of rules) record(rule, outcomes[rule], label, probing);
}

function record(rule: CheckerRuleId, outcome: ListOutcome, label: string, { ledger }: Probing): void {
  switch (outcome.kind) {
    case "held":
      for (let index = 0; index < outcome.kept; index++) ledger.keep(rule);
      for (const { page, message, evidence, path } of outcome.broken)
        ledger.break(rule, evidenceOf(page.observation, message, { evidence: toEvidence(evidence), path }));
      return;
    case "untold":
      ledger.skip(rule, outcome.reason, label);
      return;
    case "short":
      // Nobody can walk on where there is nothing: another list may show it.
      ledger.skip(rule, outcome.reason);
      return;
    case "outside":
      ledger.spare(rule, outcome.reason);
  }
}

/** True where every page holds a text of as many characters as it says it has rows. */
function isOfText({ pages }: Walk): boolean {
  return pages.every(({ observation, pagination }) => {
    const data: unknown = observation.envelope?.data;
    const texts = Object.values(isRecord(data) ? data : {}).filter((value) => typeof value === "string");
    return texts.some((text) => [...text].length === pagination.page_size);
  });
}

function skipAll(rules: readonly CheckerRuleId[], reason: string, label: string, { ledger }: Probing): void {
  for (const rule of rules) ledger.skip(rule, reason, label);
}

function spareCursorRules({ label }: ListCalls, { ledger }: Probing): void {
  const reason = `${label} takes no parameter that is known to be a cursor`;
  for (const rule of ["MCP-41", "MCP-42", "MCP-43", "MCP-46"] as const) ledger.spare(rule, reason);
}

function labelOf({ tool, action }: Subject): string {
  return action === undefined ? tool : `${tool} ${action}`;
}

const badCursors = ["foundry-check-no-cursor", "eyJmb3VuZHJ5LWNoZWNrIjoxfQ"];
const badLimits = [0, -5];

/** Asks a list for pages by cursors that are none. */
export async function probeBadCursors(list: ListCalls, { name }: Parameter, probing: Probing): Promise<void> {
  for (const cursor of badCursors)
    await expectRefusal(
      list,
      probing,
      "MCP-43",
      { [name]: cursor },
      "a cursor that is none is answered with a page",
    );
}

/** Asks a list for pages of sizes that there are not. */
export async function probeBadLimits(list: ListCalls, limit: Parameter, probing: Probing): Promise<void> {
  const { least } = statedRange(limit.schema);
  // What the schema admits is no bad limit.
  const bad = badLimits.filter((value) => least === undefined || value < least);
  for (const value of bad) {
    const message = `${limit.name} ${value} is answered with a page`;
    await expectRefusal(list, probing, "MCP-47", { [limit.name]: value }, message);
  }
  if (bad.length === 0) probing.ledger.spare("MCP-47", `${list.label} takes every limit, by its schema`);
}

async function expectRefusal(
  { tool, label, args }: ListCalls,
  { session, ledger }: Probing,
  rule: "MCP-43" | "MCP-47",
  bad: Readonly<Record<string, unknown>>,
  message: string,
): Promise<void> {
  const unanswered = `${label} left calls unanswered`;
  if (!session.answers(tool)) return ledger.skip(rule, session.exhausted ?? unanswered, label);
  const observation = await session.call(tool, { ...args, ...bad });
  if (!isAnswered(observation)) return ledger.skip(rule, session.exhausted ?? unanswered, label);
  ledger.hold(rule, isRefused(observation) ? undefined : evidenceOf(observation, message));
}
