import type { UnknownRecord } from "@foundry-mcp/contract";
import type { CompatibleCall, CompatibleParameter } from "@foundry-mcp/toolkit";

export type Parameters = Readonly<Record<string, CompatibleParameter>>;

/** Returns a table row with a call of the Python server and the call of this server that answers it. */
export const row = (
  tool: string,
  action: string,
  to: CompatibleCall["to"],
  parameters: Parameters = {},
  set?: UnknownRecord,
): CompatibleCall => ({ tool, action, to, parameters, ...(set === undefined ? {} : { set }) });

/** A call whose position the reference counts from 1, and this server from 0. */
export const countedFromOne = (tool: string, action: string): CompatibleCall => ({
  ...row(tool, action, [tool, action]),
  warn: ({ position }) =>
    position === undefined || position === null
      ? undefined
      : `position ${position} counts from 0 here, so it is place ${Number(position) + 1}; the Python server counts the positions of ${action} from 1`,
});

/** Returns table rows for actions of one tool that have no counterpart on this server. */
export const without = (tool: string, actions: readonly string[], reason: string) =>
  actions.map((action) => row(tool, action, reason));
