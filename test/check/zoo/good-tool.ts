import type { Refusal } from "./refusal.ts";
import type { Json } from "./rpc.ts";

/** A parameter as its JSON Schema describes it. */
export interface Parameter {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | boolean;
}

/** The result of an action: a payload with its metadata, or a refusal. */
export type Outcome = { readonly data: Json; readonly meta?: Json } | { readonly refusal: Refusal };

/** The rows of a list before they are paged. */
export interface ListOutcome {
  readonly rows: readonly Json[];
  /** The key of `data` that contains a page of rows. */
  readonly under: string;
  readonly limit: number;
  readonly cursor: unknown;
}

/**
 * A payload that can be shortened to fit. The payload has a number of parts, and an answer can include any number of
 * them.
 */
export interface LongOutcome {
  readonly parts: number;
  readonly maxTokens: number;
  keep(parts: number): { readonly data: Json; readonly meta?: Json };
}

/** One action of a tool. A plain tool has a single action without a name. */
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

/** True if a tool has no parameter `action`. */
export function isPlain(tool: GoodTool): boolean {
  return plain in tool.actions;
}
