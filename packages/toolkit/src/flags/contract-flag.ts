import type { FlagReport, FlagVerdict } from "./flags.ts";

/** The flag that returns clients to response-v1 where it is off for them; on unless a source says otherwise. */
export const contractFlag = "response_contract_v2";

/** True unless a source decided that it is off: one that fails must not switch clients to another dialect. */
export function isContractOn({ isEnabled, reason }: Pick<FlagVerdict, "isEnabled" | "reason">): boolean {
  return isEnabled || ["unknown", "error", "closed"].includes(reason);
}

/** Reports the flag as it is in force, also where the source does not define it. */
export function withContractFlag(flags: readonly FlagReport[]): readonly FlagReport[] {
  const isDefined = flags.some(({ name }) => name === contractFlag);
  if (!isDefined)
    return [...flags, { name: contractFlag, enabled: true, reason: "default", state: "stable" }];
  return flags.map((flag) =>
    flag.name === contractFlag
      ? { ...flag, enabled: isContractOn({ isEnabled: flag.enabled, reason: flag.reason }) }
      : flag,
  );
}
