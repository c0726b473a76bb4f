import { expect, it } from "vitest";
import { replaceRenamedCommand } from "./renamed-commands.ts";

it.each([
  ["modify task add my-spec --title x", "modify add-task my-spec --title x"],
  ["--specs-dir specs modify phase add my-spec", "--specs-dir specs modify add-phase my-spec"],
  ["modify task remove my-spec task-1-1 --confirm", "modify remove-task my-spec task-1-1 --confirm"],
  ["modify phase move my-spec phase-2", "modify move-phase my-spec phase-2"],
  ["modify assumption my-spec --text x", "modify add-note --kind assumption my-spec --text x"],
  ["modify revision my-spec --version 2", "modify add-note --kind revision my-spec --version 2"],
  ["modify add-task my-spec", "modify add-task my-spec"],
  ["contract check -- modify task add", "contract check -- modify task add"],
  ["", ""],
])("replaces %s by %s", (written, current) => {
  expect(replaceRenamedCommand(written.split(" "))).toEqual(current.split(" "));
});
