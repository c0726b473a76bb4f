import type { Dialect } from "@foundry-mcp/contract";
import { isQuotable } from "@foundry-mcp/contract/input";
import type { Context } from "../context/context.ts";
import { contractNames, type DialectOptions, parseContractName } from "../dispatch/choose-dialect.ts";

const contractKey = "response_contract";

/** Negotiates the capabilities that a client requests; each refused capability causes a warning with the reason. */
export function negotiate(
  options: DialectOptions,
  asked: Readonly<Record<string, unknown>>,
  { agreement, dialect, warn }: Context,
) {
  const refused: Record<string, string> = {};
  const unknown = Object.keys(asked).filter((key) => key !== contractKey);
  const named = unknown.filter(isQuotable).slice(0, maxRefused);
  for (const key of named) refused[key] = `this server negotiates ${contractKey} only`;
  if (unknown.length > named.length)
    warn(`${unknown.length - named.length} further capabilities are not known`);
  const inForce = agreement?.dialect ?? dialect;
  const isHeld = agreement !== undefined;
  const { agreed, refusal } = chooseContract(asked[contractKey], options, { inForce, isHeld });
  if (refusal !== undefined) refused[contractKey] = refusal;
  if (isHeld && agreed !== undefined) agreement.dialect = agreed;
  for (const [key, why] of Object.entries(refused)) warn(`${key} was not negotiated: ${why}`);
  return {
    negotiated: { [contractKey]: contractNames([agreed ?? inForce])[0] ?? inForce },
    refused,
    holds_for: isHeld ? ("connection" as const) : ("request" as const),
  };
}

interface Choice {
  readonly agreed?: Dialect;
  readonly refusal?: string;
}

/**
 * Chooses the first requested contract that this server supports. A client without a connection can only
 * choose the contract that is already in effect.
 */
function chooseContract(
  requested: unknown,
  options: DialectOptions,
  { inForce, isHeld }: { readonly inForce: Dialect; readonly isHeld: boolean },
): Choice {
  if (requested === undefined || requested === null) return {};
  const wanted = Array.isArray(requested) ? requested.slice(0, maxWanted) : [requested];
  const answers = wanted.map((name: unknown) => parseContractName(name, options));
  const spoken = answers.flatMap(({ dialect }) => dialect ?? []);
  const [first] = spoken;
  if (first === undefined) {
    const { refusal = "" } = answers[0] ?? parseContractName(requested, options);
    return { refusal };
  }
  if (isHeld) return { agreed: first };
  return spoken.includes(inForce) ? { agreed: inForce } : { refusal: noConnection };
}

/** The maximum number of refused capabilities that are listed. */
const maxRefused = 20;

/** The maximum number of requested contracts that are read; only three exist. */
const maxWanted = 20;

const noConnection =
  'there is no connection to hold it: send it with each request, as _meta["foundry-mcp/response_contract"] or the header Foundry-Response-Contract';
