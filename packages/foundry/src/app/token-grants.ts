import { ContractError, isContractError } from "@foundry-mcp/contract";
import { parseGrants, type TokenGrant } from "@foundry-mcp/toolkit/http";
import type { LoadedSettings } from "../config/load-settings.ts";
import { roles } from "./roles.ts";

/**
 * Returns the grants of the user's file, followed by the grant of FOUNDRY_TOKEN. With this order, the indexes of
 * grants are the same as in the file.
 */
export function tokensOf({ values }: LoadedSettings): readonly TokenGrant[] {
  const token = process.env["FOUNDRY_TOKEN"];
  const operator = token === undefined || token === "" ? [] : [{ token, principal: "operator" }];
  return [...(values.tokens as unknown as readonly TokenGrant[]), ...operator];
}

/** Returns the number of tokens that a server would accept. Throws if the server would refuse to start with them. */
export function countGrants(loaded: LoadedSettings): number {
  const tokens = tokensOf(loaded);
  if (tokens.length === 0) return 0;
  try {
    return parseGrants(tokens, roles).length;
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    const { message, remediation = "" } = thrown;
    throw toGrantError(thrown, loaded) ?? new ContractError(inSettings(message), { remediation });
  }
}

/** Rewrites the error of a grant with the names in the user's file. Returns undefined for any other error. */
export function toGrantError(
  { message, remediation }: ContractError,
  { values, origins }: LoadedSettings,
): ContractError | undefined {
  const own = values.tokens.length;
  const fault = /tokens\[\d+\].*/s.exec(message)?.[0].replaceAll(`tokens[${own}]`, "FOUNDRY_TOKEN");
  if (fault === undefined || !fault.includes("tokens[")) return undefined;
  return new ContractError(`Cannot use the setting tokens of ${origins.tokens}: ${fault}`, {
    errorCode: "VALIDATION_ERROR",
    remediation: `${remediation ?? ""} tokens[0] is the first [[tokens]] of ${origins.tokens}.`.trimStart(),
    details: { field: "tokens", constraint: "setting" },
  });
}

/** Replaces the names of toolkit options by the names of settings. */
export function inSettings(text: string): string {
  return text
    .replaceAll("allowedHosts", "allowed_hosts")
    .replaceAll(/\btokens(\[\d+\](\.token)?)?(?=\W|$)/g, "FOUNDRY_TOKEN");
}
