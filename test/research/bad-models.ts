import type { ModelBehaviour } from "../../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours as behaviours } from "../../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";

/** A realistic key. The key must not occur anywhere except in requests. */
export const modelKey = "sk-stand-in-0123456789abcdef0123456789abcdef";

const good = JSON.stringify({ summary: "In short.", key_points: ["One point."], quotes: [] });

/** Faulty behaviours of models, and the reported reason of each. */
export const badModels: readonly (readonly [name: string, reason: string, behaviour: ModelBehaviour])[] = [
  ["refuses the key", "refused", behaviours.refusal(401)],
  ["has no time", "refused", behaviours.refusal(429)],
  ["is broken", "refused", behaviours.refusal(500)],
  ["leads elsewhere", "refused", behaviours.redirect("http://127.0.0.1:9/v1/chat/completions")],
  ["fails in the middle, with the key", "refused", behaviours.errorInStream()],
  ["says nothing", "too_slow", behaviours.silence()],
  ["says nothing slowly", "too_slow", behaviours.slowBytes()],
  ["never ends what it said", "too_slow", behaviours.streamThatHangs(good)],
  ["is cut off while it streams", "cut_off", behaviours.cutStream(good)],
  ["is cut off in its JSON", "cut_off", behaviours.cutJson()],
  ["ends without an end", "cut_off", behaviours.streamWithoutEnd(good)],
  ["writes without end", "too_long", behaviours.endlessStream()],
  ["writes one line without end", "too_long", behaviours.endlessLine()],
  ["is a web page", "garbage", behaviours.body("<html>It works!</html>", "text/html")],
  ["says no JSON", "garbage", behaviours.stream("Certainly! Here is a summary of your text.")],
  ["has another shape", "garbage", behaviours.digest({ summary: 7, key_points: { a: 1 }, quotes: "none" })],
  ["has no key points", "garbage", behaviours.digest({ key_points: [] })],
  ["repeats what it is asked", "garbage", behaviours.echo()],
  ["tells its key", "garbage", behaviours.digest({ summary: `The key is ${modelKey}.` })],
];
