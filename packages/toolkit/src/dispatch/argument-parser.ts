import { internal, type UnknownRecord } from "@foundry-mcp/contract";
import { toArgumentShape } from "../catalogue/input-shape.ts";
import type { Schema, SchemaOutput } from "../schema/schema.ts";
import { argumentError } from "./argument-error.ts";
import { normalizeArguments } from "./normalize-arguments.ts";

/** Parses arguments; `path` is where they lie, such as `operations[0]`. Throws the failure of invalid arguments. */
export type ArgumentParser<Out> = (args: UnknownRecord, path?: string) => Out;

/**
 * Creates a parser for arguments that are no action's own, such as the operations of a list. They are held to the rules
 * of an action's input: unknown names are refused at any depth, and null means absent. `label` names in errors what takes
 * the arguments.
 *
 * @example
 * const parse = createArgumentParser(z.object({ task_id: z.string() }), "start");
 * parse({ task_id: "task-1-1" }, "operations[0]");
 */
export function createArgumentParser<S extends Schema>(
  schema: S,
  label: string,
): ArgumentParser<SchemaOutput<S>> {
  const shape = toArgumentShape(schema, label);
  return (args, path = "") => {
    const normal = normalizeArguments(shape, args);
    const result = schema["~standard"].validate(normal.args);
    if (result instanceof Promise)
      throw internal(`Cannot parse the arguments of ${label}: its schema is asynchronous`);
    if (result.issues === undefined && normal.unknown.length === 0) return result.value as SchemaOutput<S>;
    throw argumentError(label, { ...normal, issues: result.issues, faults: [], path });
  };
}
