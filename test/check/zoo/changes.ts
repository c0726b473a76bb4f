import type { Leniency } from "./check-arguments.ts";
import type { GoodTool, ListOutcome } from "./good-tool.ts";
import type { PagePlan } from "./paging.ts";
import type { Refusal, RefusalKind } from "./refusal.ts";
import type { Json, RpcAnswer } from "./rpc.ts";
import type { Definition } from "./to-definition.ts";

/** The information about a call that is available when its answer is created. */
export interface Call {
  readonly tool: string;
  readonly action: string;
  readonly args: Json;
  /** The number of calls so far, including this call. */
  readonly count: number;
  /** The reason why the call is refused. Undefined for a success. */
  readonly refused: RefusalKind | undefined;
}

/** The steps of the good server that a fault may replace, in the order in which they are executed. */
export interface Changes extends Leniency {
  /** Returns the tools that exist, with the names by which they can be called. */
  tools?(tools: readonly GoodTool[]): readonly GoodTool[];
  /** Returns the definitions of the tools. */
  definitions?(definitions: readonly Definition[]): readonly Definition[];
  /** Refuses a call before it is examined. */
  refuses?(count: number): Refusal | undefined;
  refusal?(refusal: Refusal, call: Call): Refusal;
  /** Returns the rows that a page contains. */
  plan?(plan: PagePlan, list: ListOutcome): PagePlan;
  pagination?(pagination: Json): Json | undefined;
  /** Returns the payload of a success, before its length is checked. */
  data?(data: Json, call: Call): Json;
  meta?(meta: Json, call: Call): Json;
  /** True to treat every payload as short enough. */
  readonly ignoresBudget?: boolean;
  /** Returns the id of an answer. */
  requestId?(id: string): string | undefined;
  /** Returns the envelope in its dialect. */
  envelope?(envelope: Json, call: Call): Json;
  /** Returns the result of `tools/call`. */
  result?(result: Json, call: Call): Json;
  /** Returns the answer to send, or undefined to send none. */
  answer?(answer: RpcAnswer, call: Call): RpcAnswer | undefined;
}
