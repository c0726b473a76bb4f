import type { Context } from "@foundry-mcp/toolkit";
import { activeLease, type Leases } from "../../model/lease.ts";

/**
 * A claim token that means the claim of the same connection. This token is for callers that do not store
 * tokens.
 */
export const ownClaim = "own";

/** An operation of a batch. */
interface Entry {
  readonly op: string;
  readonly task_id: string;
  readonly claim_token?: unknown;
}

type Connection = Pick<Context, "agreement">;

/** The claim tokens that each connection has received. */
export interface OwnClaims {
  /** Stores the tokens of an answer. */
  remember(context: Connection, answer: object): void;
  /**
   * Replaces `own` with the token of the connection. If the connection has not claimed the task, the token is
   * removed.
   */
  resolve(
    operations: readonly Entry[],
    context: Connection,
    readLeases: () => Promise<Leases>,
  ): Promise<readonly Entry[]>;
}

/**
 * Creates the store of tokens. The tokens of a connection are dropped when the connection ends. Without a
 * connection, no tokens are stored.
 */
export function createOwnClaims(): OwnClaims {
  const known = new WeakMap<object, Set<string>>();
  return {
    remember({ agreement }, answer) {
      if (agreement === undefined) return;
      const { tasks = [answer] } = answer as { readonly tasks?: readonly object[] };
      const tokens = known.get(agreement) ?? new Set();
      for (const task of tasks) {
        const { claim_token } = task as { readonly claim_token?: string };
        if (claim_token !== undefined) tokens.add(claim_token);
      }
      known.set(agreement, tokens);
    },
    async resolve(operations, { agreement }, readLeases) {
      if (!operations.some((each) => each.claim_token === ownClaim)) return operations;
      const tokens = agreement === undefined ? undefined : known.get(agreement);
      const leases = await readLeases();
      const now = new Date().toISOString();
      return operations.map(({ claim_token, ...operation }) => {
        if (claim_token !== ownClaim)
          return claim_token === undefined ? operation : { ...operation, claim_token };
        const token = activeLease(leases, operation.task_id, now)?.token;
        const isHeld = token !== undefined && tokens?.has(token) === true;
        return isHeld ? { ...operation, claim_token: token } : operation;
      });
    },
  };
}
