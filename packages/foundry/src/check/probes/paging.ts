import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, isRecord, isRefused } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";
import { rowsKeyOf, type Walk, walkPages } from "./walk-pages.ts";

/** A walk takes about so many pages, however long the list. */
const wantedPages = 12;
const badCursors = ["foundry-check-no-cursor", "eyJmb3VuZHJ5LWNoZWNrIjoxfQ"];
const badLimits = [0, -5];

/** Walks a list in small steps and in large ones, and compares the two. */
export async function probePaging(base: Base, probing: Probing): Promise<void> {
  const { subject, args, observation } = base;
  const { session, ledger } = probing;
  const pagination = observation.envelope?.meta.pagination;
  if (!isRecord(pagination)) return;
  const key = rowsKeyOf(observation);
  if (key === undefined) {
    for (const rule of ["MCP-41", "MCP-42"] as const)
      ledger.skip(rule, `no list stands in the data of ${subject.tool}`);
    return;
  }
  const limits = limitsOf(base);
  const step = limits === undefined ? undefined : stepOf(base, key);
  const small = await walkPages(
    session,
    subject.tool,
    step === undefined ? args : { ...args, limit: step },
    key,
  );
  const large =
    limits === undefined
      ? undefined
      : await walkPages(session, subject.tool, { ...args, limit: limits.most }, key);
  judgeEnds(small, probing);
  judgeRows(small, large, base, probing);
  if (step !== undefined) judgeLimit(small, step, probing);
  await probeBadCursors(base, probing);
  if (limits !== undefined) await probeBadLimits(base, probing);
}

/** The bounds of `limit`; undefined where the tool takes none. */
function limitsOf({ subject }: Base): { readonly most: number } | undefined {
  const schema = subject.definition.parameters.find(({ name }) => name === "limit")?.schema;
  if (schema === undefined) return undefined;
  const { maximum } = schema;
  return { most: typeof maximum === "number" && maximum >= 1 ? Math.min(Math.floor(maximum), 1_000) : 100 };
}

/** So many rows a page that several pages come, and not too many. */
function stepOf({ observation }: Base, key: string): number {
  const { total_count: total } = observation.envelope?.meta.pagination ?? {};
  const rows = observation.envelope?.data[key];
  const seen = Array.isArray(rows) ? rows.length : 0;
  const known = typeof total === "number" ? Math.max(total, seen) : seen;
  // With one row a page, a page that begins with the last row of the one before would never get on.
  return known <= 2 ? 1 : Math.max(2, Math.ceil(known / wantedPages));
}

function judgeEnds({ pages, end }: Walk, { ledger }: Probing): void {
  for (const { observation, pagination } of pages) {
    const { cursor, has_more: hasMore } = pagination;
    const hasCursor = typeof cursor === "string" && cursor !== "";
    const message = `has_more is ${hasMore} and cursor is ${hasCursor ? "a text" : String(cursor)}`;
    const evidence = { path: "$.meta.pagination", evidence: toEvidence(pagination) };
    ledger.hold("MCP-46", hasCursor === hasMore ? undefined : evidenceOf(observation, message, evidence));
  }
  const last = pages.at(-1);
  if (end !== "circle" || last === undefined) return;
  ledger.break("MCP-46", {
    ...evidenceOf(last.observation, "the cursor came before: the pages go round in a circle"),
    path: "$.meta.pagination.cursor",
  });
}

function judgeRows(small: Walk, large: Walk | undefined, base: Base, { ledger }: Probing): void {
  const { subject, observation } = base;
  const { tool } = subject;
  const isWhole = (walk: Walk | undefined): walk is Walk => walk?.end === "complete";
  const hasGapInWalk = small.pages.some(
    ({ pagination }) => pagination.has_more && pagination.cursor === null,
  );
  if (small.pages.length < 2 && !(isWhole(large) && large.rows.length > small.rows.length)) {
    const reason = `${tool} gave no second page to walk to`;
    for (const rule of ["MCP-41", "MCP-42"] as const) ledger.skip(rule, reason);
  } else {
    const [walked, whole] = [countRows(small.rows), isWhole(large) ? countRows(large.rows) : undefined];
    const twice = [...walked].find(
      ([row, count]) => count > (whole?.get(row) ?? (isNamed(small) ? 1 : count)),
    );
    const evidence = (row: string) => ({ evidence: toEvidence(row), path: undefined });
    ledger.hold(
      "MCP-41",
      twice && evidenceOf(observation, "a row comes twice on the way", evidence(twice[0])),
    );
    const isComparable = isWhole(small) && !hasGapInWalk && whole !== undefined;
    const missing = isComparable ? [...whole.keys()].find((row) => !walked.has(row)) : undefined;
    if (isComparable)
      ledger.hold(
        "MCP-42",
        missing === undefined
          ? undefined
          : evidenceOf(observation, "a row is missing on the way", evidence(missing)),
      );
    else ledger.skip("MCP-42", `${tool} gave no whole list to compare with`);
  }
  judgeTotal(small, large, base, ledger);
}

function judgeTotal(
  small: Walk,
  large: Walk | undefined,
  { observation }: Base,
  ledger: Probing["ledger"],
): void {
  // The larger walk has fewer seams at which a row could be lost.
  const walk = large?.end === "complete" ? large : small;
  if (walk.end !== "complete") return;
  const rows = isNamed(walk) ? countRows(walk.rows).size : walk.rows.length;
  for (const { pagination, observation: page } of [...small.pages, ...(large?.pages ?? [])]) {
    const { total_count: total } = pagination;
    if (typeof total !== "number") continue;
    const message = `total_count is ${total}, and the pages hold ${rows} rows`;
    const more = { path: "$.meta.pagination.total_count", evidence: toEvidence(pagination) };
    ledger.hold(
      "MCP-44",
      total === rows ? undefined : { ...evidenceOf(page, message, more), tool: observation.tool },
    );
  }
}

function judgeLimit({ pages }: Walk, step: number, { ledger }: Probing): void {
  for (const { observation, rows } of pages) {
    const message = `limit is ${step}, and ${rows.length} rows came`;
    ledger.hold("MCP-45", rows.length > step ? evidenceOf(observation, message) : undefined);
  }
}

async function probeBadCursors({ subject, args }: Base, { session, ledger }: Probing): Promise<void> {
  for (const cursor of badCursors) {
    if (!session.answers(subject.tool)) return;
    const observation = await session.call(subject.tool, { ...args, cursor });
    if (!isAnswered(observation)) return;
    const message = "a cursor that is none is answered with a page";
    ledger.hold("MCP-43", isRefused(observation) ? undefined : evidenceOf(observation, message));
  }
}

async function probeBadLimits({ subject, args }: Base, { session, ledger }: Probing): Promise<void> {
  for (const limit of badLimits) {
    if (!session.answers(subject.tool)) return;
    const observation = await session.call(subject.tool, { ...args, limit });
    if (!isAnswered(observation)) return;
    const message = `limit ${limit} is answered with a page`;
    ledger.hold("MCP-47", isRefused(observation) ? undefined : evidenceOf(observation, message));
  }
}

/** True where every row has an id of its own; others may be alike and still be two. */
function isNamed({ rows }: Walk): boolean {
  return rows.every((row) => idOf(row) !== undefined);
}

/** How often each row came, by its id, else by all of it. */
function countRows(rows: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = idOf(row) ?? JSON.stringify(row);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** What ends in _id may name something else, which many rows have in common. */
function idOf(row: unknown): string | undefined {
  const id = isRecord(row) ? row["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
