import type { ModelBehaviour } from "../../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours as does } from "../../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";

/** A key as they look like; it must be nowhere but in the requests. */
export const modelKey = "sk-stand-in-0123456789abcdef0123456789abcdef";

const good = JSON.stringify({ summary: "In short.", key_points: ["One point."], quotes: [] });

/** What models do that is of no use, and the reason that is told of it. */
export const badModels: readonly (readonly [name: string, reason: string, behaviour: ModelBehaviour])[] = [
  ["refuses the key", "refused", does.refusal(401)],
  ["has no time", "refused", does.refusal(429)],
  ["is broken", "refused", does.refusal(500)],
  ["leads elsewhere", "refused", does.redirect("http://127.0.0.1:9/v1/chat/completions")],
  ["fails in the middle, with the key", "refused", does.errorInStream()],
  ["says nothing", "too_slow", does.silence()],
  ["says nothing slowly", "too_slow", does.slowBytes()],
  ["never ends what it said", "too_slow", does.streamThatHangs(good)],
  ["is cut off while it streams", "cut_off", does.cutStream(good)],
  ["is cut off in its JSON", "cut_off", does.cutJson()],
  ["ends without an end", "cut_off", does.streamWithoutEnd(good)],
  ["writes without end", "too_long", does.endlessStream()],
  ["writes one line without end", "too_long", does.endlessLine()],
  ["is a web page", "garbage", does.body("<html>It works!</html>", "text/html")],
  ["says no JSON", "garbage", does.stream("Certainly! Here is a summary of your text.")],
  ["has another shape", "garbage", does.digest({ summary: 7, key_points: { a: 1 }, quotes: "none" })],
  ["has no key points", "garbage", does.digest({ key_points: [] })],
  ["repeats what it is asked", "garbage", does.echo()],
  ["tells its key", "garbage", does.digest({ summary: `The key is ${modelKey}.` })],
];
