/** What is looked at of a session when room is needed. */
export interface Held {
  /** Who opened it; undefined where the server asks for no tokens. */
  readonly owner: string | undefined;
  readonly seenAt: number;
  readonly unanswered: { readonly size: number };
}

/**
 * The session that gives way to a newcomer where all are taken: one that rests, of whoever holds most,
 * silent for longest. Its owner keeps at least as many as the newcomer gets, so that nobody can take
 * them all and no two can take them from each other for ever. Undefined where there is none.
 */
export function findSurplus<K>(sessions: ReadonlyMap<K, Held>, newcomer: string | undefined): K | undefined {
  const counts = new Map<string | undefined, number>();
  const countOf = (owner: string | undefined) => counts.get(owner) ?? 0;
  for (const { owner } of sessions.values()) counts.set(owner, countOf(owner) + 1);
  const [first] = [...sessions]
    .filter(([, { owner, unanswered }]) => unanswered.size === 0 && countOf(owner) >= countOf(newcomer) + 2)
    .sort(([, a], [, b]) => countOf(b.owner) - countOf(a.owner) || a.seenAt - b.seenAt);
  return first?.[0];
}
