import type { LogLine } from "./history-log.ts";

/**
 * The stored history of a spec: the lines of its log, and the bases, which are the revisions with a stored
 * full text.
 */
export interface LoggedHistory {
  /** The lines of the log; the oldest line comes first. */
  readonly lines: readonly LogLine[];
  readonly bases: readonly string[];
}

/** Consecutive revisions and the steps between them. */
export interface RevisionChain {
  /** The revisions; the oldest revision comes first. */
  readonly revisions: readonly string[];
  /** The steps. The step at an index leads from the revision at that index to the next revision. */
  readonly steps: readonly LogLine[];
  /** The line that describes how the first revision was made; undefined if this is not known. */
  readonly origin: LogLine | undefined;
}

/** The current revision of a spec, and the acknowledged revision that another program replaced with it. */
export interface FoundRevision {
  readonly revision: string;
  readonly overwritten?: string | undefined;
}

/**
 * Returns the newest revision in the log. This revision is the current revision, unless another program has
 * changed the file. A line that starts at the current revision belongs to a change that was never committed.
 */
export function tipOf(logged: LoggedHistory, current: FoundRevision): string {
  return isLogged(logged, current.revision) ? current.revision : tipBefore(logged, current);
}

/**
 * Returns the newest revision in the log that another program replaced with the current revision. The result
 * is the acknowledged revision if it is in the log, else the last revision in the log.
 */
export function tipBefore(logged: LoggedHistory, { revision, overwritten }: FoundRevision): string {
  if (overwritten !== undefined && isLogged(logged, overwritten)) return overwritten;
  return logged.lines.at(-1)?.to ?? logged.bases.at(-1) ?? revision;
}

function isLogged({ lines, bases }: LoggedHistory, revision: string): boolean {
  return bases.includes(revision) || lines.some(({ from, to }) => from === revision || to === revision);
}

/**
 * Returns the chain that ends at a revision. If two lines lead to the same revision, the later line is used.
 * Other branches are ignored.
 */
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
