import type { Envelope, Remedy } from "@foundry-mcp/contract";
import type { Registry } from "@foundry-mcp/toolkit";
import type { TestWorkspace } from "../specs/workspace.ts";

/** A call of a tool. */
export interface ScenarioCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A workspace and the server that works in it. */
export interface ScenarioState {
  readonly workspace: TestWorkspace;
  readonly registry: Registry;
  /** Makes a call that must succeed. */
  must(tool: string, args: Readonly<Record<string, unknown>>): Promise<Envelope>;
}

/** A state, a call that fails in it or finds no task, and what helps. */
export interface Scenario {
  readonly name: string;
  /** Creates the state, and returns what calls and remedies refer to. */
  readonly setUp?: (state: ScenarioState) => Promise<Readonly<Record<string, string>> | void>;
  readonly call: ScenarioCall | ((facts: Readonly<Record<string, string>>) => ScenarioCall);
  /** @default the call succeeds */
  readonly code?: string;
  readonly remedies: readonly Remedy[] | ((facts: Readonly<Record<string, string>>) => readonly Remedy[]);
  /** The values of the arguments that remedies need from the caller. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** True where the state does not change by the remedy, because the caller has to choose another argument. */
  readonly needsChoice?: boolean;
}
