import type { LogLine } from "./history-log.ts";

/** The stored history of a spec: the lines of its log, and the revisions with a full text (bases). */
export interface LoggedHistory {
  /** The oldest first. */
  readonly lines: readonly LogLine[];
  readonly bases: readonly string[];
}

/** Consecutive revisions and the steps between them. */
export interface RevisionChain {
  /** The oldest first. */
  readonly revisions: readonly string[];
  /** The step at an index leads from the revision at that index to the next one. */
  readonly steps: readonly LogLine[];
  /** How the first revision was made, if known. */
  readonly origin: LogLine | undefined;
}

/** The revision that a spec is at, and the acknowledged one that another program replaced by it. */
export interface FoundRevision {
  readonly revision: string;
  readonly overwritten?: string | undefined;
}

/**
 * The newest revision in the log. It is the current one, unless another program changed the file since. A line that
 * leads on from the current revision belongs to a change that was never committed.
 */
export function tipOf(logged: LoggedHistory, current: FoundRevision): string {
  return isLogged(logged, current.revision) ? current.revision : tipBefore(logged, current);
}

/** The newest revision in the log that another program replaced by the current one: the acknowledged one, or the last. */
export function tipBefore(logged: LoggedHistory, { revision, overwritten }: FoundRevision): string {
  if (overwritten !== undefined && isLogged(logged, overwritten)) return overwritten;
  return logged.lines.at(-1)?.to ?? logged.bases.at(-1) ?? revision;
}

function isLogged({ lines, bases }: LoggedHistory, revision: string): boolean {
  return bases.includes(revision) || lines.some(({ from, to }) => from === revision || to === revision);
}

/** The chain that ends at a revision. Of two lines to the same revision the later one counts; other branches are ignored. */
export function toChain({ lines }: LoggedHistory, tip: string): RevisionChain {
  const steps: LogLine[] = [];
  const revisions = [tip];
  let target = tip;
  for (const line of lines.toReversed()) {
    if (line.to !== target) continue;
    if (line.from === undefined)
      return { revisions: revisions.reverse(), steps: steps.reverse(), origin: line };
    target = line.from;
    steps.push(line);
    revisions.push(target);
  }
  return { revisions: revisions.reverse(), steps: steps.reverse(), origin: undefined };
}
