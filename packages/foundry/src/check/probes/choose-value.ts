import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { isId, isToken } from "../arguments/token-links.ts";
import type { ValuePool } from "../arguments/value-pool.ts";
import { isWaitParameter, shortestWait } from "../arguments/wait-parameters.ts";
import { getOwn } from "../schemas/json-schema.ts";

/**
 * The source of a value: an answer of the server, the answer to an earlier call of the calls file, or the schema. The
 * source is `none` if there is no value.
 */
export type ValueSource = "answer" | "call" | "schema" | "none";

/** The information used to choose a value for a planned call. */
export interface ChoiceContext {
  /** The arguments chosen so far. */
  readonly used: UnknownRecord;
  /** Keys of the answers to earlier calls. */
  readonly answered: ReadonlySet<string>;
  /** The earlier call whose answer identifies the object of this call, with the keys of that answer. */
  readonly earlier?: { readonly call: string; readonly keys: readonly string[] } | undefined;
  /** An action of the tool to use in the steps of a batch. */
  readonly step?: string | undefined;
  readonly pool: ValuePool;
}

/** A value for a planned call. */
export interface ChosenValue {
  readonly value: unknown;
  readonly source: ValueSource;
}

/** Chooses the likeliest value of a parameter for a call that the checker may not try. */
export function chooseValue(parameter: Parameter, context: ChoiceContext): ChosenValue {
  const { name, schema } = parameter;
  const { used, answered, earlier, pool } = context;
  if (isWaitParameter(parameter)) return { value: shortestWait(parameter), source: "schema" };
  if (earlier?.keys.includes(name) && (isId(name) || isToken(name)))
    return { value: `{{${earlier.call}: ${name}}}`, source: "call" };
  const seen = pool.candidates(name);
  const long = pool.longText(name);
  if (long !== undefined && sampleValues(schema, { given: [long] })[0] === long)
    return { value: long, source: "answer" };
  if (answered.has(name) && (isToken(name) || !pool.knows(name)))
    return { value: `{{${name}}}`, source: "call" };
  const others = isOther(name) ? siblingsOf(used, pool) : [];
  const values = sampleValues(schema, { given: [...pool.given(name), ...others], pool: seen });
  const free = values.filter((value) => !Object.values(used).includes(value));
  const value = others.find((each) => free.includes(each)) ?? free.find((each) => isNamedIn(schema, each));
  const chosen = value ?? free[0] ?? values[0];
  if (chosen === undefined) return { value: undefined, source: "none" };
  const isSeen = seen.includes(chosen) || others.includes(chosen);
  return { value: fillSteps(chosen, context), source: isSeen ? "answer" : "schema" };
}

/** Returns true for a parameter that identifies a second object, such as `target_id`. */
function isOther(name: string): boolean {
  return /^(?:target|other|to|from|source|depends_on|after|before)(?:_|$)/i.test(name);
}

/**
 * Returns values that differ from an id of the call only in their digits, because such values identify other objects
 * of the same kind.
 */
function siblingsOf(used: UnknownRecord, pool: ValuePool): readonly unknown[] {
  const toForm = (value: unknown) => String(value).replaceAll(/\d+/g, "0");
  const last = Object.entries(used).findLast(([name]) => isId(name));
  if (last === undefined) return [];
  const [name, value] = last;
  return pool.candidates(name).filter((each) => each !== value && toForm(each) === toForm(value));
}

/** Returns true if a word of the value occurs in the description of its parameter: `phase-1` in "Id of a phase". */
function isNamedIn(schema: Parameter["schema"], value: unknown): boolean {
  const description = getOwn(schema, "description");
  if (typeof description !== "string" || typeof value !== "string") return false;
  const words = new Set(description.toLowerCase().match(/[a-z]{4,}/g));
  return (value.toLowerCase().match(/[a-z]{4,}/g) ?? []).some((word) => words.has(word));
}

/** Fills the steps of a batch with ids from answers, and with an action of the tool as the operation. */
function fillSteps(value: unknown, { pool, step }: ChoiceContext): unknown {
  if (!Array.isArray(value)) return value;
  return (value as unknown[]).map((item) => {
    if (!isRecord(item)) return item;
    const members = Object.entries(item).map(([key, member]) => {
      const [seen] = isId(key) ? pool.candidates(key) : [];
      const isStep = /^(?:op|operation|action)$/.test(key) && typeof member === "string";
      return [key, (isStep ? step : seen) ?? member];
    });
    return Object.fromEntries(members);
  });
}
