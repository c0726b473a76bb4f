import type { Dialect } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { contractFlag, isContractOn } from "../flags/contract-flag.ts";
import type { FlagVerdict } from "../flags/flags.ts";
import type { CallState } from "./call-state.ts";

/** The dialects by the names that clients may request. */
const byName: Readonly<Record<string, Dialect>> = {
  v2: "response-v2",
  "response-v2": "response-v2",
  v1: "response-v1",
  "response-v1": "response-v1",
  "envelope-v1": "envelope-v1",
};

/** The dialects of a server and its default dialect. */
export interface DialectOptions {
  readonly dialect: Dialect;
  readonly dialects: readonly Dialect[];
}

/** The dialect that a client requested, or the reason for the refusal. */
export type DialectRequest =
  | { readonly dialect: Dialect; readonly refusal?: undefined }
  | { readonly dialect?: undefined; readonly refusal: string };

/** Parses the `response_contract` that a client requested. */
export function parseContractName(asked: unknown, { dialects }: DialectOptions): DialectRequest {
  const dialect = typeof asked === "string" && Object.hasOwn(byName, asked) ? byName[asked] : undefined;
  if (dialect !== undefined && dialects.includes(dialect)) return { dialect };
  const quoted = typeof asked === "string" ? quoteName(asked) : nameOf(asked);
  const supported = contractNames(dialects).join(", ");
  return { refusal: `response_contract ${quoted} is not supported; this server supports ${supported}` };
}

function nameOf(asked: unknown): string {
  if (asked === null || typeof asked === "number" || typeof asked === "boolean") return String(asked);
  return Array.isArray(asked) ? "of a list" : `of type ${typeof asked}`;
}

/** Lists the short names by which clients can request these dialects. */
export function contractNames(dialects: readonly Dialect[]): readonly string[] {
  return Object.keys(byName)
    .filter((name) => name !== "response-v2" && name !== "response-v1")
    .filter((name) => dialects.includes(byName[name] as Dialect));
}

/**
 * Chooses the dialect of one response: the dialect that the call requests, otherwise the negotiated dialect,
 * otherwise response-v1 if the flag is off, otherwise the default. A request for an unsupported dialect causes a
 * warning.
 */
export function chooseDialect(state: CallState): Dialect | Promise<Dialect> {
  const { deps, call, caller } = state;
  const { dialects, flags } = deps;
  const fallback = state.target?.action.definition.dialect ?? deps.dialect;
  if (call.contract !== undefined) {
    const { dialect, refusal } = parseContractName(call.contract, deps);
    if (dialect !== undefined) return dialect;
    state.warn({ message: refusal });
  }
  if (caller.agreement?.dialect !== undefined) return caller.agreement.dialect;
  // A call in process returns the envelope as an object, which is always response-v2.
  const isEligible = caller.surface !== "in-process" && dialects.includes("response-v1");
  if (flags === undefined || !isEligible || !flags.has(contractFlag)) return fallback;
  const verdict = flags.evaluate(contractFlag, state.clientKey);
  const toChoice = (verdict: FlagVerdict): Dialect => (isContractOn(verdict) ? fallback : "response-v1");
  return verdict instanceof Promise ? verdict.then(toChoice) : toChoice(verdict);
}
