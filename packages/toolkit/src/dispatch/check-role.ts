import { forbidden } from "@foundry-mcp/contract";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Refuses observers an action that may change something. */
export function checkRole({ role }: CallState, { action }: Target): void {
  if (role === "maintainer" || action.hints.readOnly) return;
  throw forbidden(`Cannot call ${action.label} as ${role}: it may change something`, {
    remediation: "Call with the token of a maintainer, or use an action that changes nothing.",
    details: { role, needed_role: "maintainer" },
  });
}
