import type { ContractError } from "@foundry-mcp/contract";
import type { Call, Registry } from "@foundry-mcp/toolkit";
import { toServedName } from "../config/served-name.ts";
import { unavailableUpstream } from "../upstream/unavailable-upstream.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** What explaining a missing tool needs. */
export interface MissingToolDeps {
  readonly registry: Registry;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** The servers whose entries cannot be used, with the reasons. */
  readonly invalid: ReadonlyMap<string, ContractError>;
  /** True if names begin with the name of their upstream. */
  readonly isPrefixed: boolean;
  /** Waits for an upstream that is starting. */
  readonly waitFor: (upstream: Upstream) => Promise<void>;
}

/**
 * Waits for the upstream of a tool that is not registered yet, because the upstream may still be starting. If the
 * upstream is not there, the call is refused with the reason; any other unknown tool stays unknown.
 */
export function explainMissingTool(call: Call, deps: MissingToolDeps): Call | Promise<Call> {
  // Most tools are there, so their calls do not wait for a promise.
  const isKnown = typeof call.tool !== "string" || deps.registry.hasTool(call.tool);
  return isKnown ? call : explain(call, deps);
}

async function explain(call: Call, deps: MissingToolDeps): Promise<Call> {
  const { registry, upstreams, invalid } = deps;
  const owner = findOwner(call.tool, deps);
  if (owner === undefined) return call;
  const refuse = (refusal: ContractError): Call => ({ ...call, refusedBy: "gateway", refusal });
  const fault = invalid.get(owner);
  if (fault !== undefined) {
    const { message, remediation } = fault;
    return refuse(unavailableUpstream({ upstream: owner, reason: message, remediation }));
  }
  const upstream = upstreams.get(owner);
  if (upstream === undefined) return call;
  await deps.waitFor(upstream);
  const { state, reason = "it is not connected yet" } = upstream.status;
  if (registry.hasTool(call.tool) || state === "ready") return call;
  return refuse(unavailableUpstream({ upstream: owner, reason, retryAfterMs: 2_000 }));
}

/** Returns the upstream whose tools have names like this one. */
export function findOwner(
  tool: string,
  { upstreams, invalid, isPrefixed }: Pick<MissingToolDeps, "upstreams" | "invalid" | "isPrefixed">,
): string | undefined {
  const names = [...upstreams.keys(), ...invalid.keys()];
  if (!isPrefixed) return names[0];
  return names.find((name) => tool.startsWith(toServedName(`${name}__`)));
}
