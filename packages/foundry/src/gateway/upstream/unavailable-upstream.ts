import { type ContractError, unavailable } from "@foundry-mcp/contract";

/** The reason why an upstream cannot be called now. */
export interface Obstacle {
  readonly upstream: string;
  readonly reason: string;
  /** The time in milliseconds after which a call may succeed. Undefined if the time is unknown. */
  readonly retryAfterMs?: number | undefined;
  readonly remediation?: string | undefined;
}

/** Creates the error for a call that was not sent, because its upstream is not available. */
export function unavailableUpstream({
  upstream,
  reason,
  retryAfterMs,
  remediation,
}: Obstacle): ContractError {
  return unavailable(`Cannot call the server ${upstream}: ${reason}`, {
    remediation:
      remediation ??
      (retryAfterMs === undefined
        ? "Use a tool of another server, and look at the log of the gateway."
        : "Wait for retry_after_seconds and call again, or use a tool of another server."),
    ...(retryAfterMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) }),
    details: { upstream },
  });
}
