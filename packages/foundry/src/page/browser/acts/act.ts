import type { UnknownRecord } from "@foundry-mcp/contract";
import type { LoadedSpec } from "../state/spec-cache.ts";

/** A change that a person makes on the page, as a call of one tool. */
export interface Act {
  readonly tool: string;
  /** The arguments, except the spec and its revision. */
  readonly args: UnknownRecord;
  /** The spec as the person saw it when they decided. */
  readonly base: LoadedSpec;
  /** The nodes that the act concerns. A change of any other node by somebody else is no conflict. */
  readonly about: readonly string[];
  /** The act in words, such as `Complete "Parse the stations"`. */
  readonly title: string;
  /** The values that the act sets, by field, for the comparison in a conflict. */
  readonly sets: UnknownRecord;
  /** What is shown when it is done. */
  readonly done: string;
}
