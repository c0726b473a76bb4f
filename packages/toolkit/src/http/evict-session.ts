/** The properties of a session that decide whether the session is closed to make room for a new session. */
export interface EvictableSession {
  /** The time of the last request, by `performance.now()`. */
  readonly seenAt: number;
  /** The requests that have no response yet. */
  readonly pending: { readonly size: number };
  /** The open streams of notifications. */
  readonly streams: number;
}

/** True for a session that is not in use: no request is in flight and no stream is open. */
export function isIdle({ pending, streams }: EvictableSession): boolean {
  return pending.size === 0 && streams === 0;
}

/**
 * Chooses the session to close when there are too many. An idle session is chosen first. A session that has
 * only an open stream is chosen next, because its client can open another session. A session with calls in
 * flight is chosen last, because the answers would be lost. Among equals, the least recently used session is
 * closed.
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
