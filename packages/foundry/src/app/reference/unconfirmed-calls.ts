import type { UnknownRecord } from "@foundry-mcp/contract";
import type { CompatibleCall } from "@foundry-mcp/toolkit";

/**
 * Removals that the Python server makes at once, and that can be undone. The history of the spec keeps what such a call
 * removes.
 */
const undoable: readonly string[] = [
  "task remove",
  "authoring task-remove",
  "authoring phase-remove",
  "authoring spec-rollback",
];

/**
 * Returns a call as clients of the Python server make it: a removal that can be undone needs no `confirm`. Only servers
 * with `--tools reference` take calls in this form.
 */
export function asUnconfirmed(call: CompatibleCall): CompatibleCall {
  const name = `${call.tool} ${call.action}`;
  if (!undoable.includes(name)) return call;
  return {
    ...call,
    set: { ...call.set, confirm: true },
    parameters: {
      ...call.parameters,
      confirm: (value) => (value === false ? "Leave out confirm, or pass true." : {}),
    },
    warn: ({ confirm, dry_run: isDryRun }: UnknownRecord) =>
      confirm === true || isDryRun === true
        ? undefined
        : "The call was taken without confirm, as on the Python server: the action undo of spec undoes the change",
  };
}
