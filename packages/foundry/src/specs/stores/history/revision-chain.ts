import type { LogLine } from "./history-log.ts";

/** What is known of a spec's past: the lines of its log, and the revisions whose whole texts are kept. */
export interface LoggedHistory {
  /** The oldest first. */
  readonly lines: readonly LogLine[];
  readonly bases: readonly string[];
}

/** Revisions that lead from one to the next. */
export interface RevisionChain {
  /** The oldest first. */
  readonly revisions: readonly string[];
  /** The step at an index leads from the revision there to the next. */
  readonly steps: readonly LogLine[];
  /** How the first revision came to be, if that is known. */
  readonly origin: LogLine | undefined;
}

/**
 * The newest revision that the past tells of. It is the present one, unless somebody changed the file since: then
 * nothing leads to that. A line that leads on from the present one is of a change that was never made.
 */
export function tipOf({ lines, bases }: LoggedHistory, present: string): string {
  const isKnown = bases.includes(present) || lines.some(({ from, to }) => from === present || to === present);
  return isKnown ? present : (lines.at(-1)?.to ?? bases.at(-1) ?? present);
}

/** The chain that ends at a revision. Of two lines that lead to the same revision the later one counts; what leads elsewhere is void. */
export function toChain({ lines }: LoggedHistory, tip: string): RevisionChain {
  const steps: LogLine[] = [];
  const revisions = [tip];
  let wanted = tip;
  for (const line of lines.toReversed()) {
    if (line.to !== wanted) continue;
    if (line.from === undefined)
      return { revisions: revisions.reverse(), steps: steps.reverse(), origin: line };
    wanted = line.from;
    steps.push(line);
    revisions.push(wanted);
  }
  return { revisions: revisions.reverse(), steps: steps.reverse(), origin: undefined };
}
