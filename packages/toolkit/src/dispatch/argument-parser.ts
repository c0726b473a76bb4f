import { internal, isContractError, type UnknownRecord } from "@foundry-mcp/contract";
import { toArgumentShape } from "../catalogue/input-shape.ts";
import type { Context } from "../context/context.ts";
import type { Schema, SchemaOutput } from "../schema/schema.ts";
import { argumentError } from "./argument-error.ts";
import { readLeniently } from "./lenient-arguments.ts";
import { normalizeArguments } from "./normalize-arguments.ts";
import { toReadingWarning } from "./reading-warning.ts";

/**
 * Parses arguments; `path` is their position, such as `operations[0]`. Throws the failure of invalid
 * arguments. If the `warn` of a handler's context is passed, invalid arguments whose meaning is certain are
 * corrected, as for an action.
 */
export type ArgumentParser<Out> = (args: UnknownRecord, path?: string, warn?: Context["warn"]) => Out;

/**
 * Creates a parser for arguments within the arguments of an action, such as operations in a list. The rules of an
 * action's input apply: unknown names are refused at any depth, and null means absent. In errors, `label` names the
 * operation that takes the arguments.
 *
 * @example
 * const parse = createArgumentParser(z.object({ task_id: z.string() }), "start");
 * parse({ task_id: "task-1-1" }, "operations[0]", warn);
 */
export function createArgumentParser<S extends Schema>(
  schema: S,
  label: string,
): ArgumentParser<SchemaOutput<S>> {
  const shape = toArgumentShape(schema, label);
  const attempt = (args: UnknownRecord, path: string, conflicts: readonly string[] = []) => {
    const normal = normalizeArguments(shape, args);
    const result = schema["~standard"].validate(normal.args);
    if (result instanceof Promise)
      throw internal(`Cannot parse the arguments of ${label}: its schema is asynchronous`);
    const twice = [...normal.twice, ...conflicts];
    if (result.issues === undefined && normal.unknown.length === 0 && twice.length === 0)
      return { value: result.value as SchemaOutput<S> };
    return argumentError(label, {
      ...normal,
      twice,
      issues: result.issues,
      faults: [],
      path,
      parameters: shape.parameters,
    });
  };
  return (args, path = "", warn) => {
    const strict = attempt(args, path);
    if (!isContractError(strict)) return strict.value;
    const lenient = warn === undefined ? undefined : readLeniently(shape, args);
    if (warn === undefined || lenient === undefined) throw strict;
    const second = attempt(lenient.args, path, lenient.twice);
    if (isContractError(second)) throw second;
    const readings = lenient.readings.map(({ field, as }) => ({ field: `${path}.${field}`, as }));
    const { code = "", message, context } = toReadingWarning(readings);
    warn(code, message, context);
    return second.value;
  };
}
