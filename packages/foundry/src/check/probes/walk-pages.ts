import type { Pagination, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Observation } from "../observe/observation.ts";
import type { Session } from "../observe/session.ts";

/** Number of pages after which a walk stops. */
const defaultMaxPages = 60;

/** One page of a list. */
export interface WalkedPage {
  readonly observation: Observation;
  readonly pagination: Pagination;
}

/** A walk through the pages of a list, and the way in which the walk ended. */
export interface Walk {
  readonly pages: readonly WalkedPage[];
  /** The requested page size. */
  readonly limit?: number | undefined;
  /**
   * `complete`: the last page was reached. `cycle`: a cursor was returned a second time. `no_cursor`: a page reported
   * that there is more, but the page has no cursor or the tool takes no cursor. `truncated`: the walk has enough
   * pages. `failed`: an answer was not a page.
   */
  readonly end: "complete" | "cycle" | "no_cursor" | "truncated" | "failed";
  /** The reason why the walk failed. */
  readonly reason?: string | undefined;
  /** The answer that was not a page. */
  readonly failedReply?: Observation | undefined;
}

/** Options of a walk. */
export interface WalkOptions {
  readonly tool: string;
  readonly args: UnknownRecord;
  /** The name of the cursor parameter. Without a cursor parameter, only one page is read. */
  readonly cursor?: string | undefined;
  readonly limit?: { readonly name: string; readonly value: number } | undefined;
  readonly maxPages?: number | undefined;
  /** Returns true once the walk has enough pages. */
  readonly isEnough?: ((pages: readonly WalkedPage[]) => boolean) | undefined;
}

/** Reads a list page by page until it ends or the options stop it. */
export async function walkPages(session: Session, options: WalkOptions): Promise<Walk> {
  const { tool, cursor: name, limit } = options;
  const args = limit === undefined ? options.args : { ...options.args, [limit.name]: limit.value };
  const pages: WalkedPage[] = [];
  const cursors = new Set<string>();
  const ended = (end: Walk["end"], rest: Pick<Walk, "reason" | "failedReply"> = {}): Walk => ({
    pages,
    end,
    ...(limit === undefined ? {} : { limit: limit.value }),
    ...rest,
  });
  let cursor: string | undefined;
  while (pages.length < (options.maxPages ?? defaultMaxPages)) {
    if (!session.isCallable(tool))
      return ended("failed", { reason: session.stopReason ?? `${tool} left calls unanswered` });
    const sent = cursor === undefined || name === undefined ? args : { ...args, [name]: cursor };
    const observation = await session.call(tool, sent);
    const page = toPage(observation);
    if (page === undefined)
      return ended("failed", { reason: noPageReason(observation, cursor), failedReply: observation });
    pages.push(page);
    const { cursor: next, has_more: hasMore } = page.pagination;
    if (hasMore !== true) return ended("complete");
    if (typeof next !== "string" || next === "" || name === undefined) return ended("no_cursor");
    if (cursors.has(next)) return ended("cycle");
    if (options.isEnough?.(pages)) return ended("truncated");
    cursors.add(next);
    cursor = next;
  }
  return ended("truncated");
}

/** Returns the page that an answer contains, or undefined if the answer is not a page. */
export function toPage(observation: Observation): WalkedPage | undefined {
  const { envelope } = observation;
  const pagination: unknown = envelope?.success ? envelope.meta.pagination : undefined;
  if (!isRecord(pagination)) return undefined;
  return { observation, pagination: pagination as unknown as Pagination };
}

function noPageReason({ tool, outcome, envelope }: Observation, cursor: string | undefined): string {
  const asked = cursor === undefined ? "a first page" : "a page by the cursor that it sent";
  if (outcome === "success") return `${tool} sent no meta.pagination when asked for ${asked}`;
  if (outcome !== "failure") return `${tool} gave no answer when asked for ${asked}`;
  return `${tool} failed when asked for ${asked}: ${(envelope?.error ?? "it did not say why").slice(0, 200).toWellFormed()}`;
}
