/** A part of a limited resource that belongs to one owner, such as a session, a stream or a waiting call. */
export interface Holding {
  /** The principal, or the client if the server does not use tokens. */
  readonly owner: string;
  /** The amount of the resource. @default 1 */
  readonly size?: number | undefined;
  /**
   * Ends the holding, so that another owner can use its share. The holding is no longer counted when this method is
   * called.
   */
  giveWay(): void;
}

/** The rules by which owners share a resource. */
export interface SharesOptions<H extends Holding> {
  /** The total amount for all owners together. */
  readonly limit: number;
  /** The amount for one owner. Above it, a holding of that owner ends, or the new one is refused. @default limit */
  readonly limitOfOwner?: number | undefined;
  /** Chooses the holding that is ended to make room. @default the oldest holding */
  readonly choose?: ((candidates: Iterable<H>) => H | undefined) | undefined;
  /**
   * The rule for an owner that already has the largest share and adds a holding. "give way" ends the owner's oldest
   * holding; "refuse" refuses the new holding.
   * @default "give way"
   */
  readonly own?: "give way" | "refuse" | undefined;
}

/** Shares a limited resource among owners, so that no owner can take the whole resource. */
export interface Shares<H extends Holding> {
  /** The total amount that all owners hold. */
  readonly total: number;
  /**
   * Adds a holding; returns false if the holding is refused. If the owner has no other holding, the new
   * holding is never refused.
   */
  add(holding: H): boolean;
  /** Removes a holding that has ended, for any reason. */
  delete(holding: H): void;
}

/**
 * Creates the shares of a resource. When the resource is used up, a new holding ends a holding of the owner
 * with the largest share. The new holding counts for its owner. If that owner and another owner then have
 * equally large shares, the owner of the new holding loses a holding, so that two owners do not displace each
 * other forever. The new holding itself is never ended: if it alone exceeds the limit, only the new holding
 * remains.
 */
export function createShares<H extends Holding>({
  limit,
  limitOfOwner = limit,
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

  /** Finds the holding to end for a new holding; undefined if there are no other holdings. */
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

  /** Finds the holding to end while the owner of a new holding has more than one owner may have. */
  const findOwn = (newcomer: H): H | undefined => {
    const share = owners.get(newcomer.owner);
    return share !== undefined && share.size + sizeOf(newcomer) > limitOfOwner
      ? choose(share.holdings)
      : undefined;
  };

  return {
    get total() {
      return total;
    },
    add(newcomer) {
      const size = sizeOf(newcomer);
      for (;;) {
        const victim = findOwn(newcomer) ?? (total + size > limit ? findVictim(newcomer) : undefined);
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
