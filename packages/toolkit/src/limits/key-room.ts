/**
 * Creates the room for keys: whether a key has a place in it, or gets one. Clients choose their own names,
 * so the keys that are in use at one time are bounded: past that, clients that are new share a key.
 */
export function createKeyRoom(periodSeconds: number, maxKeys: number): (key: string) => boolean {
  /** When each key's period ends. All are as long, so the first to end stands first. */
  const ends = new Map<string, number>();
  return (key) => {
    const now = Date.now();
    for (const [known, end] of ends) {
      if (end > now) break;
      ends.delete(known);
    }
    if (ends.has(key)) return true;
    if (ends.size >= maxKeys) return false;
    ends.set(key, now + periodSeconds * 1_000);
    return true;
  };
}
