import { inspect } from "node:util";
import { ModelFailure } from "../model-failure.ts";

/** What a call that fails tells, and everything that can be seen of it; anything but a ModelFailure is thrown. */
export async function failureOf(call: () => Promise<unknown>): Promise<{
  readonly reason: string;
  readonly message: string;
  readonly everything: string;
}> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const everything = `${inspect(error, { depth: 10, showHidden: true })} ${error.stack} ${JSON.stringify(error)}`;
    return { reason: error.reason, message: error.message, everything };
  }
  throw new Error("it did not fail");
}
