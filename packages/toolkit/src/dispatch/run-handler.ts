import type { CallContext } from "./call-context.ts";
import type { Flight } from "./deadline.ts";
import type { Target } from "./find-action.ts";
import type { Observation } from "./telemetry/call-telemetry.ts";

/** Runs a handler for as long as its call lives. What it returned at once is given at once. */
export function runHandler(
  observation: Observation,
  { action: { definition } }: Target,
  input: unknown,
  context: CallContext,
  flight: Flight,
): unknown {
  const returned: unknown = observation.run(() => definition.run(input as never, context));
  return isThenable(returned) ? flight.race(returned) : returned;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
