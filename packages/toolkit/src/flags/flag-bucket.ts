import { createHash } from "node:crypto";

/**
 * The place of a client in the rollout of a flag, from 1 to 100: always the same for the same two, and
 * another for the next flag, so that it is not the same clients who go first every time.
 */
export function flagBucket(flag: string, client: string): number {
  // MD5 is no protection here; it spreads evenly, and every language has it.
  const digest = createHash("md5").update(`${flag}:${client}`).digest();
  return digest.reduce((rest, byte) => (rest * 256 + byte) % 100, 0) + 1;
}
