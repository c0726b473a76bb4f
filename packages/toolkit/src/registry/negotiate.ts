import type { Context } from "../context/context.ts";
import { contractNames, type DialectOptions, parseContractName } from "../dispatch/choose-dialect.ts";

const contractKey = "response_contract";

/** Negotiates the capabilities that a client asks for; each refused one becomes a warning with its reason. */
export function negotiate(
  options: DialectOptions,
  asked: Readonly<Record<string, unknown>>,
  { agreement, dialect, warn }: Context,
) {
  const refused: Record<string, string> = {};
  const unknown = Object.keys(asked).filter((key) => key !== contractKey);
  for (const key of unknown.slice(0, maxRefused)) {
    refused[key.slice(0, 60).toWellFormed()] = `this server negotiates ${contractKey} only`;
  }
  if (unknown.length > maxRefused) warn(`${unknown.length - maxRefused} further capabilities are not known`);
  const requested = asked[contractKey];
  const answer =
    requested === undefined || requested === null ? undefined : parseContractName(requested, options);
  if (answer?.refusal !== undefined) refused[contractKey] = answer.refusal;
  if (answer?.dialect !== undefined) {
    if (agreement === undefined) refused[contractKey] = noConnection;
    else agreement.dialect = answer.dialect;
  }
  for (const [key, why] of Object.entries(refused)) warn(`${key} was not negotiated: ${why}`);
  const inForce = agreement?.dialect ?? dialect;
  return {
    negotiated: { [contractKey]: contractNames([inForce])[0] ?? inForce },
    refused,
    holds_for: agreement === undefined ? ("request" as const) : ("connection" as const),
  };
}

/** How many refused capabilities are listed. */
const maxRefused = 20;

const noConnection =
  'there is no connection to hold it: send it with each request, as _meta["foundry-mcp/response_contract"] or the header Foundry-Response-Contract';
