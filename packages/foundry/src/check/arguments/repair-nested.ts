import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { getOwn, toList } from "../schemas/json-schema.ts";
import { suggestionsOf } from "./suggested-words.ts";
import type { ValuePool } from "./value-pool.ts";

const maxSteps = 6;
const maxValues = 4;

/**
 * Returns variants of the arguments with another nested value in the place that a failed call names, such
 * as `steps[0].op`. Values that the failure suggests come before values that other answers have under the
 * same key.
 */
export function repairNested(
  args: UnknownRecord,
  failure: { readonly error: string; readonly data: UnknownRecord },
  pool: ValuePool,
): readonly UnknownRecord[] {
  const details = getOwn(failure.data, "details");
  const [first] = toList(getOwn(details, "errors"));
  const field = getOwn(first, "field") ?? getOwn(details, "field");
  const [name = "", ...steps] = typeof field === "string" ? stepsOf(field) : [];
  const key = steps.at(-1);
  if (key === undefined || steps.length > maxSteps || !Object.hasOwn(args, name)) return [];
  const constraint = getOwn(first, "constraint") ?? getOwn(details, "constraint");
  const words = constraint === "required" ? [] : suggestionsOf(failure, { quotes: false });
  const values = [...new Set([...words, ...pool.candidates(key), "test"])];
  return values.slice(0, maxValues).flatMap((value) => {
    const changed = setAt(args[name], steps, value);
    return changed === undefined ? [] : [{ ...args, [name]: changed }];
  });
}

/** Splits a path such as `steps[0].op` or `steps.0.op` into names and indexes. */
function stepsOf(field: string): readonly string[] {
  return field
    .slice(0, 200)
    .split(/[.[\]]+/)
    .filter((step) => step !== "");
}

/**
 * Returns a copy of `root` in which the value at a path is replaced, or undefined if the path does not
 * exist.
 */
function setAt(root: unknown, steps: readonly string[], value: unknown): unknown {
  const nodes: unknown[] = [];
  let node = root;
  for (const step of steps) {
    nodes.push(node);
    node = Array.isArray(node) ? (node as unknown[])[Number(step)] : getOwn(node, step);
  }
  let made = value;
  for (const [index, step] of [...steps.entries()].toReversed()) {
    const parent = nodes[index];
    if (Array.isArray(parent) && Number(step) in parent) made = parent.with(Number(step), made);
    else if (isRecord(parent)) made = { ...parent, [step]: made };
    else return undefined;
  }
  return made;
}
