/** The part of a session that decides whether it gives way. */
export interface EvictableSession {
  /** By `performance.now()`. */
  readonly seenAt: number;
  /** The requests that have no response yet. */
  readonly pending: { readonly size: number };
  /** The open streams of notifications. */
  readonly streams: number;
}

/** True for a session that nobody uses now: no request is in flight and no stream is open. */
export function isIdle({ pending, streams }: EvictableSession): boolean {
  return pending.size === 0 && streams === 0;
}

/**
 * Chooses the session that gives way: an idle one before one with a stream, whose client opens another, and
 * that before one with calls in flight, whose answers would be lost; of equal ones the least recently used.
 */
export function chooseSessionToEvict<S extends EvictableSession>(sessions: Iterable<S>): S | undefined {
  let chosen: S | undefined;
  for (const session of sessions) {
    if (chosen === undefined || compare(session, chosen) < 0) chosen = session;
  }
  return chosen;
}

function compare(one: EvictableSession, other: EvictableSession): number {
  return lossOf(one) - lossOf(other) || one.seenAt - other.seenAt;
}

function lossOf(session: EvictableSession): number {
  if (session.pending.size > 0) return 2;
  return isIdle(session) ? 0 : 1;
}
