import type { UnknownRecord } from "@foundry-mcp/contract";
import type { ValuePool } from "../arguments/value-pool.ts";
import type { Ledger } from "../findings/ledger.ts";
import type { Judge } from "../judge/judge.ts";
import type { Operation, ToolDefinition } from "../observe/definition.ts";
import type { Observation } from "../observe/observation.ts";
import type { Session } from "../observe/session.ts";

/** The dependencies of every probe. */
export interface ProbeDeps {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly judge: Judge;
  readonly pool: ValuePool;
  readonly tools: readonly ToolDefinition[];
}

/** A call that succeeded. Probes change its arguments. */
export interface Baseline {
  readonly operation: Operation;
  readonly args: UnknownRecord;
  readonly observation: Observation;
  /** Parameters that the server's failures report as required although its schema does not. */
  readonly requiredByServer: readonly string[];
}

/** Returns the arguments without one of them. */
export function without(args: UnknownRecord, name: string): UnknownRecord {
  const { [name]: _, ...rest } = args;
  return rest;
}

/** Returns the name of an operation for reports: the tool, and the action if there is one. */
export function labelOf({ tool, action }: Operation): string {
  return action === undefined ? tool : `${tool} ${action}`;
}
