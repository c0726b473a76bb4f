import type { Leniency } from "./check-arguments.ts";
import type { GoodTool, ListOutcome } from "./good-tool.ts";
import type { PagePlan } from "./paging.ts";
import type { Refusal, RefusalKind } from "./refusal.ts";
import type { Json, RpcAnswer } from "./rpc.ts";
import type { Definition } from "./to-definition.ts";

/** What is known of a call when its answer is made. */
export interface Call {
  readonly tool: string;
  readonly action: string;
  readonly args: Json;
  /** How many calls came so far, this one included. */
  readonly count: number;
  /** Why it is refused; undefined of a success. */
  readonly refused: RefusalKind | undefined;
}

/** The steps of the good server that a fault may replace, in the order in which they are taken. */
export interface Changes extends Leniency {
  /** The tools there are, under the names they answer to. */
  tools?(tools: readonly GoodTool[]): readonly GoodTool[];
  /** What is told of them. */
  definitions?(definitions: readonly Definition[]): readonly Definition[];
  /** Refuses a call before it is looked at. */
  refuses?(count: number): Refusal | undefined;
  refusal?(refusal: Refusal, call: Call): Refusal;
  /** Which rows a page holds. */
  plan?(plan: PagePlan, list: ListOutcome): PagePlan;
  pagination?(pagination: Json): Json | undefined;
  /** The payload of a success, before it is looked at whether it fits. */
  data?(data: Json, call: Call): Json;
  meta?(meta: Json, call: Call): Json;
  /** Takes everything for short enough. */
  readonly ignoresBudget?: boolean;
  /** The id of an answer. */
  requestId?(id: string): string | undefined;
  /** The envelope in its dialect. */
  envelope?(envelope: Json, call: Call): Json;
  /** The result of `tools/call`. */
  result?(result: Json, call: Call): Json;
  /** What goes out; undefined is no answer. */
  answer?(answer: RpcAnswer, call: Call): RpcAnswer | undefined;
}
