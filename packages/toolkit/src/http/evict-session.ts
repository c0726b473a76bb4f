/** The part of a session that decides whether it may be evicted. */
export interface EvictableSession {
  /** The principal that opened it; undefined where the server asks for no tokens. */
  readonly owner: string | undefined;
  readonly seenAt: number;
  readonly pending: { readonly size: number };
}

/**
 * Returns the session to evict for a new one when all are taken: an idle one of the owner with the most
 * sessions, least recently used first. The owner keeps at least as many as the newcomer then has, so that
 * nobody can occupy all sessions and no two owners can evict each other for ever. Undefined where none qualifies.
 */
export function findSessionToEvict<K>(
  sessions: ReadonlyMap<K, EvictableSession>,
  newcomer: string | undefined,
): K | undefined {
  const counts = new Map<string | undefined, number>();
  const countOf = (owner: string | undefined) => counts.get(owner) ?? 0;
  for (const { owner } of sessions.values()) counts.set(owner, countOf(owner) + 1);
  const [first] = [...sessions]
    .filter(([, { owner, pending }]) => pending.size === 0 && countOf(owner) >= countOf(newcomer) + 2)
    .sort(([, a], [, b]) => countOf(b.owner) - countOf(a.owner) || a.seenAt - b.seenAt);
  return first?.[0];
}
