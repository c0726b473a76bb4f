import { ContractError } from "@foundry-mcp/contract";
import type { Provider } from "@openfeature/server-sdk";
import type { FlagProviderOptions } from "./flag-provider.ts";

/** Where flags come from: exactly one of `file`, `flags` and `provider`. */
export interface FlagsOptions extends FlagProviderOptions {
  /** Any OpenFeature provider; the client is its targeting key. */
  readonly provider?: Provider | undefined;
  /** The flags of `provider` that are known and listed; others are asked for all the same. @default [] */
  readonly names?: readonly string[] | undefined;
  /** Hears of a broken new version of the file, and of a provider that fails. @default a process warning */
  readonly onError?: ((error: ContractError) => void) | undefined;
}

/** Refuses options that do not say where flags come from, or say it twice. */
export function requireOneSource(options: FlagsOptions): void {
  const given = (keys: readonly (keyof FlagsOptions)[]) => keys.filter((key) => options[key] !== undefined);
  const sources = given(["file", "flags", "provider"]);
  if (sources.length !== 1) {
    const found = sources.length === 0 ? "none is given" : `${sources.join(" and ")} are given`;
    throw refuse(`of file, flags and provider ${found}`, "Give exactly one of file, flags and provider.");
  }
  const useless = given(options.provider === undefined ? ["names"] : ["overrides", "clientOverrides"]);
  if (useless.length > 0) {
    const those = useless.join(" and ");
    throw refuse(`${those} cannot be used with ${sources[0]}`, `Leave out ${those}.`);
  }
}

function refuse(why: string, remediation: string): ContractError {
  return new ContractError(`Cannot open flags: ${why}`, { errorCode: "VALIDATION_ERROR", remediation });
}
