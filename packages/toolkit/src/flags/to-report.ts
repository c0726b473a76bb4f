import type { Flag } from "./flag-definition.ts";
import type { FlagReport, FlagVerdict } from "./flags.ts";

/** What is told of a flag: the verdict, and of its definition what there is. */
export function toReport(name: string, verdict: FlagVerdict, flag: Flag | undefined): FlagReport {
  const told = {
    state: verdict.state ?? flag?.state,
    description: flag?.description,
    owner: flag?.owner,
    created_at: flag?.createdAt,
    expires_at: flag?.expiresAt,
  };
  const known = Object.entries(told).filter(([, value]) => value !== undefined);
  return { name, enabled: verdict.isEnabled, reason: verdict.reason, ...Object.fromEntries(known) };
}
