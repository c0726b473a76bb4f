import { startFakeModel } from "../../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours } from "../../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";

/** Starts a fake model with a constant answer. */
export function startWritingModel(quotes: readonly string[] = []) {
  const answer = {
    summary: "It is about the moon, in the words of a model [1].",
    key_points: ["The moon turns it."],
    quotes,
  };
  return startFakeModel(modelBehaviours.json(JSON.stringify(answer)));
}
