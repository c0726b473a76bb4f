import type { Refusal } from "./refusal.ts";
import type { Json } from "./rpc.ts";

/** A parameter as its JSON Schema tells it. */
export interface Parameter {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | boolean;
}

/** What an action gives: a payload with what is said about it, or why not. */
export type Outcome = { readonly data: Json; readonly meta?: Json } | { readonly refusal: Refusal };

/** Rows of a list on the way to its answer. */
export interface ListOutcome {
  readonly rows: readonly Json[];
  /** The key of `data` under which a page of them stands. */
  readonly under: string;
  readonly limit: number;
  readonly cursor: unknown;
}

/** A payload that may be cut to fit: with so many of its parts, from the whole down to none. */
export interface LongOutcome {
  readonly parts: number;
  readonly maxTokens: number;
  keep(parts: number): { readonly data: Json; readonly meta?: Json };
}

/** One action; a plain tool has one without a name. */
export interface Action {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly required?: readonly string[];
  run(args: Json): Outcome | { readonly list: ListOutcome } | { readonly long: LongOutcome };
}

/** A tool of the good server. */
export interface GoodTool {
  readonly name: string;
  readonly description: string;
  readonly actions: Readonly<Record<string, Action>>;
}

/** The name of the only action of a plain tool. */
export const plain = "";

/** True when a tool has no parameter `action`. */
export function isPlain(tool: GoodTool): boolean {
  return plain in tool.actions;
}
