import type { CallContext } from "./call-context.ts";
import type { Target } from "./find-action.ts";
import type { Flight } from "./flight.ts";

/** Runs a handler for as long as its call lives, and gives what it returned. */
export async function runHandler(
  { action }: Target,
  input: unknown,
  context: CallContext,
  flight: Flight,
): Promise<unknown> {
  const returned: unknown = action.definition.run(input as never, context);
  const payload = isThenable(returned) ? await flight.race(returned) : returned;
  // A handler that held the thread past its deadline is as late as one that waited.
  flight.check();
  if (context.question !== undefined) throw context.question;
  return payload;
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
