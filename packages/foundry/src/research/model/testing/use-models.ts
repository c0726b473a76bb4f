import { inspect } from "node:util";
import { afterEach } from "vitest";
import { ModelFailure } from "../model-failure.ts";
import { type FakeModel, type ModelBehaviour, startFakeModel } from "./fake-model.ts";

/**
 * Returns the reason and message of a call's ModelFailure, and everything that could be printed of the error.
 * Rethrows any other error.
 */
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

/**
 * Returns a function that starts fake models. The fake models are closed after each test. A test fails if it leaves a
 * connection open.
 */
export function useModels(): (behaviour: ModelBehaviour) => Promise<FakeModel> {
  const running: FakeModel[] = [];
  afterEach(async () => {
    const started = running.splice(0);
    try {
      await Promise.all(started.map((model) => model.idle()));
    } finally {
      await Promise.all(started.map((model) => model.close()));
    }
  });
  return async (behaviour) => {
    const model = await startFakeModel(behaviour);
    running.push(model);
    return model;
  };
}
