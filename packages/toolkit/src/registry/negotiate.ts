import type { Context } from "../context/context.ts";
import { contractNames, type DialectOptions, parseContractName } from "../dispatch/choose-dialect.ts";

const contractKey = "response_contract";

/** Agrees with a client on what it asked for; what it cannot have is warned of, and why. */
export function negotiate(
  languages: DialectOptions,
  asked: Readonly<Record<string, unknown>>,
  { agreement, dialect, warn }: Context,
) {
  const refused: Record<string, string> = {};
  const unknown = Object.keys(asked).filter((key) => key !== contractKey);
  for (const key of unknown.slice(0, mostRefused)) {
    refused[key.slice(0, 60).toWellFormed()] = `this server negotiates ${contractKey} only`;
  }
  if (unknown.length > mostRefused)
    warn(`${unknown.length - mostRefused} further capabilities are not known`);
  const wish = asked[contractKey];
  const answer = wish === undefined || wish === null ? undefined : parseContractName(wish, languages);
  if (answer?.refusal !== undefined) refused[contractKey] = answer.refusal;
  if (answer?.dialect !== undefined) {
    if (agreement === undefined) refused[contractKey] = sendItEachTime;
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

/** As many are named as anyone would read. */
const mostRefused = 20;

const sendItEachTime =
  'there is no connection to hold it: send it with each request, as _meta["foundry-mcp/response_contract"] or the header Foundry-Response-Contract';
