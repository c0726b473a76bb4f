import type { Pagination, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Observation } from "../observe/observation.ts";
import type { Session } from "../observe/session.ts";

/** So many pages are walked before a list is called too long. */
const mostPages = 60;

/** One page of a list. */
export interface WalkedPage {
  readonly observation: Observation;
  readonly pagination: Pagination;
}

/** A walk through the pages of a list, and how it ended. */
export interface Walk {
  readonly pages: readonly WalkedPage[];
  /** The limit that was asked for. */
  readonly limit?: number | undefined;
  /**
   * `complete`: a page said that it is the last. `circle`: a cursor came a second time. `cut`: there was more
   * and no cursor, or no way to send it. `long`: enough was seen. `broken`: an answer was no page.
   */
  readonly end: "complete" | "circle" | "cut" | "long" | "broken";
  /** Why it is broken. */
  readonly reason?: string | undefined;
  /** The answer that was no page. */
  readonly stop?: Observation | undefined;
}

/** How a list is walked. */
export interface WalkOptions {
  readonly tool: string;
  readonly args: UnknownRecord;
  /** The name of the parameter that takes the cursor; without it one page is all there is. */
  readonly cursor?: string | undefined;
  readonly limit?: { readonly name: string; readonly value: number } | undefined;
  readonly mostPages?: number | undefined;
  /** True once what was seen will do. */
  readonly isEnough?: ((pages: readonly WalkedPage[]) => boolean) | undefined;
}

/** Walks from the first page to the last, or as far as it takes. */
export async function walkPages(session: Session, options: WalkOptions): Promise<Walk> {
  const { tool, cursor: name, limit } = options;
  const args = limit === undefined ? options.args : { ...options.args, [limit.name]: limit.value };
  const pages: WalkedPage[] = [];
  const cursors = new Set<string>();
  const ended = (end: Walk["end"], rest: Pick<Walk, "reason" | "stop"> = {}): Walk => ({
    pages,
    end,
    ...(limit === undefined ? {} : { limit: limit.value }),
    ...rest,
  });
  let cursor: string | undefined;
  while (pages.length < (options.mostPages ?? mostPages)) {
    if (!session.answers(tool))
      return ended("broken", { reason: session.exhausted ?? `${tool} left calls unanswered` });
    const sent = cursor === undefined || name === undefined ? args : { ...args, [name]: cursor };
    const observation = await session.call(tool, sent);
    const page = toPage(observation);
    if (page === undefined)
      return ended("broken", { reason: whyNoPage(observation, cursor), stop: observation });
    pages.push(page);
    const { cursor: next, has_more: hasMore } = page.pagination;
    if (hasMore !== true) return ended("complete");
    if (typeof next !== "string" || next === "" || name === undefined) return ended("cut");
    if (cursors.has(next)) return ended("circle");
    if (options.isEnough?.(pages)) return ended("long");
    cursors.add(next);
    cursor = next;
  }
  return ended("long");
}

/** The page that an answer is; undefined where it is none. */
export function toPage(observation: Observation): WalkedPage | undefined {
  const { envelope } = observation;
  const pagination: unknown = envelope?.success ? envelope.meta.pagination : undefined;
  if (!isRecord(pagination)) return undefined;
  return { observation, pagination: pagination as unknown as Pagination };
}

function whyNoPage({ tool, outcome, envelope }: Observation, cursor: string | undefined): string {
  const asked = cursor === undefined ? "a first page" : "a page by the cursor that it sent";
  if (outcome === "success") return `${tool} sent no meta.pagination when asked for ${asked}`;
  if (outcome !== "failure") return `${tool} gave no answer when asked for ${asked}`;
  return `${tool} failed when asked for ${asked}: ${(envelope?.error ?? "it did not say why").slice(0, 200).toWellFormed()}`;
}
