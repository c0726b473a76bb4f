import { expect, it } from "vitest";
import { toPresentWords } from "./present-words.ts";

it.each([
  ["modify task add my-spec --title x", "modify add-task my-spec --title x"],
  ["--specs-dir specs modify phase add my-spec", "--specs-dir specs modify add-phase my-spec"],
  ["modify task remove my-spec task-1-1 --confirm", "modify remove-task my-spec task-1-1 --confirm"],
  ["modify add-task my-spec", "modify add-task my-spec"],
  ["contract check -- modify task add", "contract check -- modify task add"],
  ["", ""],
])("%s is %s", (written, present) => {
  expect(toPresentWords(written.split(" "))).toEqual(present.split(" "));
});
