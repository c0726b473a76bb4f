import type { Envelope, Remedy } from "@foundry-mcp/contract";
import type { Registry } from "@foundry-mcp/toolkit";
import type { TestWorkspace } from "../specs/workspace.ts";

/** A call of a tool. */
export interface ScenarioCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A workspace and the server that uses it. */
export interface ScenarioState {
  readonly workspace: TestWorkspace;
  readonly registry: Registry;
  /** Makes a call that must succeed. */
  must(tool: string, args: Readonly<Record<string, unknown>>): Promise<Envelope>;
}

/** A state, a call that fails, warns or finds no task in that state, and the expected remedy. */
export interface Scenario {
  readonly name: string;
  /** Creates the state, and returns the values to which calls and remedies refer. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most scenarios return nothing, and need no return statement for it.
  readonly setUp?: (state: ScenarioState) => Promise<Readonly<Record<string, string>> | void>;
  readonly call: ScenarioCall | ((facts: Readonly<Record<string, string>>) => ScenarioCall);
  /**
   * The code of the failure, or of the warning of a success. Without a code, the call succeeds without a warning.
   * @default none
   */
  readonly code?: string;
  readonly remedies: readonly Remedy[] | ((facts: Readonly<Record<string, string>>) => readonly Remedy[]);
  /** The values of the arguments that remedies need from the caller. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** True if the remedy does not change the state, because the caller has to choose another argument. */
  readonly needsChoice?: boolean;
}
