import type { UnknownRecord } from "@foundry-mcp/contract";
import type { ValuePool } from "../arguments/value-pool.ts";
import type { Ledger } from "../findings/ledger.ts";
import type { Judge } from "../judge/judge.ts";
import type { Subject, ToolDefinition } from "../observe/definition.ts";
import type { Observation } from "../observe/observation.ts";
import type { Session } from "../observe/session.ts";

/** What every probe works with. */
export interface Probing {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly judge: Judge;
  readonly pool: ValuePool;
  readonly tools: readonly ToolDefinition[];
}

/** A call that succeeded: what further calls of its subject start from. */
export interface Base {
  readonly subject: Subject;
  readonly args: UnknownRecord;
  readonly observation: Observation;
  /** Parameters that the server said it cannot do without, beyond what its schema says. */
  readonly learned: readonly string[];
}

/** The arguments without one of them. */
export function without(args: UnknownRecord, name: string): UnknownRecord {
  const { [name]: _, ...rest } = args;
  return rest;
}
