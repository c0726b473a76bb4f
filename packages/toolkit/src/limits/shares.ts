/** Something that one of several owners holds of a limited resource: a session, a stream, a waiting call. */
export interface Holding {
  /** The principal, or the client where the server asks for no tokens. */
  readonly owner: string;
  /** How much of the resource it holds. @default 1 */
  readonly size?: number | undefined;
  /** Ends it, so that another owner gets its share. It is no longer counted when this is called. */
  giveWay(): void;
}

/** How owners share a resource. */
export interface SharesOptions<H extends Holding> {
  /** How much there is for all owners together. */
  readonly limit: number;
  /** Chooses which one of some holdings gives way. @default the oldest */
  readonly choose?: ((candidates: Iterable<H>) => H | undefined) | undefined;
  /**
   * What happens to an owner that wants more while it holds the most: its own oldest gives way, or the
   * newcomer is refused. @default "give way"
   */
  readonly own?: "give way" | "refuse" | undefined;
}

/** Shares a limited resource between owners, so that none of them can take all of it. */
export interface Shares<H extends Holding> {
  /** How much all owners hold. */
  readonly total: number;
  /** Adds a holding; false where it is refused. A holding of an owner that has nothing else is never refused. */
  add(holding: H): boolean;
  /** Removes a holding that has ended; it may have given way already. */
  delete(holding: H): void;
}

/**
 * Creates the shares of a resource. When it is used up, the owner with the most gives way to a newcomer. The
 * newcomer's own owner counts with the newcomer and loses a tie, so that no two owners push each other out for
 * ever. The newcomer itself never gives way: where it alone exceeds the limit, it is the only one that stays.
 */
export function createShares<H extends Holding>({
  limit,
  choose = ([first]) => first,
  own = "give way",
}: SharesOptions<H>): Shares<H> {
  /** The holdings of each owner, oldest first. */
  const owners = new Map<string, Share<H>>();
  let total = 0;

  const remove = (holding: H): void => {
    const share = owners.get(holding.owner);
    if (share === undefined || !share.holdings.delete(holding)) return;
    const size = sizeOf(holding);
    share.size -= size;
    total -= size;
    if (share.holdings.size === 0) owners.delete(holding.owner);
  };

  /** Finds the holding that gives way to a newcomer; undefined where nobody else holds anything. */
  const findVictim = (newcomer: H): H | undefined => {
    const ownShare = owners.get(newcomer.owner);
    const wanted = (ownShare?.size ?? 0) + sizeOf(newcomer);
    let most = ownShare === undefined ? 0 : wanted;
    for (const [owner, { size }] of owners) if (owner !== newcomer.owner && size > most) most = size;
    if (ownShare !== undefined && wanted === most) return choose(ownShare.holdings);
    const candidates: H[] = [];
    for (const [owner, { size, holdings }] of owners) {
      const candidate = owner !== newcomer.owner && size === most ? choose(holdings) : undefined;
      if (candidate !== undefined) candidates.push(candidate);
    }
    return choose(candidates);
  };

  return {
    get total() {
      return total;
    },
    add(newcomer) {
      const size = sizeOf(newcomer);
      while (total + size > limit) {
        const victim = findVictim(newcomer);
        if (victim === undefined) break;
        if (victim.owner === newcomer.owner && own === "refuse") return false;
        remove(victim);
        victim.giveWay();
      }
      const share = owners.get(newcomer.owner) ?? { size: 0, holdings: new Set<H>() };
      owners.set(newcomer.owner, share);
      share.holdings.add(newcomer);
      share.size += size;
      total += size;
      return true;
    },
    delete: remove,
  };
}

interface Share<H> {
  size: number;
  readonly holdings: Set<H>;
}

function sizeOf({ size = 1 }: Holding): number {
  return size;
}
