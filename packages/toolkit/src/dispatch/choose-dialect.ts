import type { Dialect } from "@foundry-mcp/contract";
import type { FlagVerdict } from "../flags/flags.ts";
import type { Journey } from "./call-state.ts";

/** The names by which clients ask for a dialect, and the dialects' own. */
const byName: Readonly<Record<string, Dialect>> = {
  v2: "response-v2",
  "response-v2": "response-v2",
  v1: "response-v1",
  "response-v1": "response-v1",
  "envelope-v1": "envelope-v1",
};

/** What a server can speak: the usual dialect first. */
export interface Languages {
  readonly dialect: Dialect;
  readonly dialects: readonly Dialect[];
}

/** The dialect that a client asked for, or why it cannot have it. */
export type Request =
  | { readonly dialect: Dialect; readonly refusal?: undefined }
  | { readonly dialect?: undefined; readonly refusal: string };

/** Reads what a client asked for. */
export function readContract(asked: unknown, { dialects }: Languages): Request {
  const dialect = typeof asked === "string" && Object.hasOwn(byName, asked) ? byName[asked] : undefined;
  if (dialect !== undefined && dialects.includes(dialect)) return { dialect };
  const quoted =
    typeof asked === "string" ? JSON.stringify(asked.slice(0, 60).toWellFormed()) : nameOf(asked);
  const spoken = contractNames(dialects).join(", ");
  return { refusal: `response_contract ${quoted} is not spoken here; this server speaks ${spoken}` };
}

function nameOf(asked: unknown): string {
  if (asked === null || typeof asked === "number" || typeof asked === "boolean") return String(asked);
  return Array.isArray(asked) ? "of a list" : `of type ${typeof asked}`;
}

/** The names by which clients ask for these dialects. */
export function contractNames(dialects: readonly Dialect[]): readonly string[] {
  return Object.keys(byName)
    .filter((name) => name !== "response-v2" && name !== "response-v1")
    .filter((name) => dialects.includes(byName[name] as Dialect));
}

/** The flag that takes clients back to response-v1 when it is off for them. */
const contractFlag = "response_contract_v2";

/**
 * The dialect of one answer: what the call asks for, else what was agreed on, else response-v1 where
 * the flag says so, else the usual one. A wish that is not granted is warned of.
 */
export function chooseDialect(journey: Journey): Dialect | Promise<Dialect> {
  const { host, call, caller } = journey;
  const { dialect: usual, dialects, flags } = host;
  if (call.contract !== undefined) {
    const { dialect, refusal } = readContract(call.contract, host);
    if (dialect !== undefined) return dialect;
    journey.warn({ message: refusal });
  }
  if (caller.agreement?.dialect !== undefined) return caller.agreement.dialect;
  // In process the answer is a value, which has one form.
  const isAsked = caller.surface !== "in-process" && dialects.includes("response-v1");
  if (flags === undefined || !isAsked || !flags.has(contractFlag)) return usual;
  const verdict = flags.evaluate(contractFlag, journey.clientKey);
  // A source that fails decides nothing: clients would be thrown back to a dialect they do not expect.
  const judge = ({ isEnabled, reason }: FlagVerdict): Dialect =>
    isEnabled || reason === "error" || reason === "closed" ? usual : "response-v1";
  return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
}
