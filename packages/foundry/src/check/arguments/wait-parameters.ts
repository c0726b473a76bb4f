import { compileSchema } from "../schemas/compile-schema.ts";
import { flattenSchema } from "../schemas/flatten-schema.ts";
import { getOwn, typesOf } from "../schemas/json-schema.ts";
import { generateNumbers } from "./generate-scalars.ts";
import type { Parameter } from "./parameters.ts";
import { normalizeKey } from "./value-pool.ts";

const unit = "(?:_(?:s|sec|second|ms|milli|millisecond|min|minute))?";
/** Names of parameters that set how long a call may wait: `timeout_seconds`, `maxWaitMs`, `wait_for_ms`. */
const waitNames = new RegExp(
  `^(?:(?:max|min|poll|polling|long_poll|total)_)?(?:timeout|time_out|wait|delay|sleep|block)(?:_(?:time|for|limit))?${unit}$`,
);
/**
 * Names of durations. A duration is a wait only if the parameter's description says that an operation or a
 * wait takes that long.
 */
const durationNames = new RegExp(`^duration${unit}$`);
const runningWords = /\b(?:operation|wait|run|runs|sleep|delay|block|poll)/i;
const waitingActions =
  /(?:^|_)(?:wait|await|watch|poll|listen|sleep|block|follow|tail|subscribe|until)(?:_|$)/;

/** Returns true for a numeric parameter that sets how long a call waits, such as `timeout_seconds`. */
export function isWaitParameter({ name, schema }: Parameter): boolean {
  const types = typesOf(flattenSchema(schema, schema) ?? {});
  if (!types.some((type) => type === "number" || type === "integer") || types.includes("string"))
    return false;
  const words = normalizeKey(name);
  return waitNames.test(words) || (durationNames.test(words) && runningWords.test(descriptionOf(schema)));
}

/**
 * Returns true if a wait parameter (such as `timeout_seconds`) applies to an action. A wait parameter
 * applies if the action's name says that the action waits, or if the parameter's description names the
 * action. In a tool without actions, a wait parameter always applies.
 */
export function waitsIn(action: string | undefined, { schema }: Parameter): boolean {
  if (action === undefined || waitingActions.test(normalizeKey(action))) return true;
  return descriptionOf(schema)
    .split(/[^\w-]+/)
    .includes(action);
}

/**
 * Returns the shortest wait that a schema admits, or undefined if no value fits. If the schema has no
 * minimum, 0 is left out, because many servers take 0 for "no limit".
 */
export function shortestWait({ schema }: Parameter): number | undefined {
  const flat = flattenSchema(schema, schema) ?? {};
  const compiled = compileSchema(schema);
  if (!compiled.ok) return undefined;
  const isInteger = !typesOf(flat).includes("number");
  const hasMinimum = typeof flat["minimum"] === "number" || typeof flat["exclusiveMinimum"] === "number";
  const values = generateNumbers(flat, isInteger).filter(
    (value) => value >= (hasMinimum ? 0 : Number.MIN_VALUE) && compiled.check(value).length === 0,
  );
  return values.length === 0 ? undefined : Math.min(...values);
}

function descriptionOf(schema: Parameter["schema"]): string {
  const description = getOwn(schema, "description");
  return typeof description === "string" ? description.slice(0, 2_000) : "";
}
