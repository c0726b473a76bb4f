import type { FlagReport, FlagVerdict } from "./flags.ts";

/**
 * The flag of the response contract, which is on by default. A client for which this flag is off gets
 * responses in the format response-v1.
 */
export const contractFlag = "response_contract_v2";

/**
 * Returns true unless a flag source decided that the contract flag is off. A failing flag source must not
 * switch clients to another response format.
 */
export function isContractOn({ isEnabled, reason }: Pick<FlagVerdict, "isEnabled" | "reason">): boolean {
  return isEnabled || ["unknown", "error", "closed"].includes(reason);
}

/**
 * Returns the flag reports with the effective value of the contract flag, even if the flag source does not
 * define the contract flag.
 */
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
