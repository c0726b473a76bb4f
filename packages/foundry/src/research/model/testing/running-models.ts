import { afterEach } from "vitest";
import { type ModelBehaviour, type ModelStandIn, startModelStandIn } from "./model-stand-in.ts";

/** Starts stand-ins that end with their test; whatever happened in it, no connection stays open. */
export function useModels(): (behaviour: ModelBehaviour) => Promise<ModelStandIn> {
  const running: ModelStandIn[] = [];
  afterEach(async () => {
    const started = running.splice(0);
    try {
      await Promise.all(started.map((standIn) => standIn.idle()));
    } finally {
      await Promise.all(started.map((standIn) => standIn.close()));
    }
  });
  return async (behaviour) => {
    const standIn = await startModelStandIn(behaviour);
    running.push(standIn);
    return standIn;
  };
}
