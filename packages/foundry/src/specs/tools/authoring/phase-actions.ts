import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { specRevision, specChangeFields } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { authoringOperations as operations } from "./authoring-operations.ts";
import { runOperation } from "./operation.ts";

const changed = () => payload({ ...specRevision, phase_id: z.string() });

/** The actions of `authoring` that are about phases. */
export function phaseActions(workspace: Workspace) {
  const add = operations["phase-add"];
  const addBulk = operations["phase-add-bulk"];
  const update = operations["phase-update"];
  const move = operations["phase-move"];
  const remove = operations["phase-remove"];
  return {
    "phase-add": action({
      description: "A new phase",
      input: () => z.object({ ...specChangeFields, ...add.fields() }),
      output: changed,
      cli: { command: "modify add-phase", aliases: ["modify phase-add"], arguments: ["spec_id"] },
      run: runOperation(workspace, add),
    }),
    "phase-add-bulk": action({
      description: "A new phase with its tasks",
      input: () => z.object({ ...specChangeFields, ...addBulk.fields() }),
      output: changed,
      cli: { command: "modify add-phase-bulk", arguments: ["spec_id"] },
      run: runOperation(workspace, addBulk),
    }),
    "phase-update": action({
      description: "Change what a phase says of itself",
      input: () => z.object({ ...specChangeFields, ...update.fields() }),
      output: changed,
      aliases: ["phase-update-metadata"],
      idempotent: true,
      cli: { command: "modify update-phase", arguments: ["spec_id", "phase_id"] },
      run: runOperation(workspace, update),
    }),
    "phase-move": action({
      description: "Put a phase elsewhere in the order of work",
      input: () => z.object({ ...specChangeFields, ...move.fields() }),
      output: changed,
      cli: { command: "modify move-phase", arguments: ["spec_id", "phase_id"] },
      run: runOperation(workspace, move),
    }),
    "phase-remove": action({
      description: "Take a phase away, with all in it",
      input: () => z.object({ ...specChangeFields, ...remove.fields() }),
      output: changed,
      destructive: true,
      cli: { command: "modify remove-phase", arguments: ["spec_id", "phase_id"] },
      run: runOperation(workspace, remove),
    }),
  };
}
