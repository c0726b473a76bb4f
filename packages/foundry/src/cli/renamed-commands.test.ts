import { expect, it } from "vitest";
import { replaceRenamedCommand } from "./renamed-commands.ts";

it.each([
  ["modify task add my-spec --title x", "modify add-task my-spec --title x"],
  ["--specs-dir specs modify phase add my-spec", "--specs-dir specs modify add-phase my-spec"],
  ["modify task remove my-spec task-1-1 --confirm", "modify remove-task my-spec task-1-1 --confirm"],
  ["modify phase move my-spec phase-2", "modify move-phase my-spec phase-2"],
  ["modify assumption my-spec --text x", "modify add-note --kind assumption my-spec --text x"],
  ["modify revision my-spec --version 2", "modify add-note --kind revision my-spec --version 2"],
  ["specs analyze", "specs find"],
  ["specs analyze .", "specs find"],
  ["specs analyze elsewhere", "specs find elsewhere"],
  ["specs template list", "specs schema"],
  ["review fidelity my-spec", "review prepare my-spec"],
  ["validate fix my-spec --no-backup --dry-run", "validate fix my-spec --dry-run"],
  ["tasks info my-spec task-1-1 --no-context", "tasks info my-spec task-1-1"],
  ["tasks info my-spec task-1-1 --include-context --json", "tasks prepare my-spec task-1-1 --json"],
  ["journal get my-spec -n 5", "journal get my-spec --limit 5"],
  ["review fidelity my-spec --task task-1-1", "review prepare my-spec --task-id task-1-1"],
  ["review fidelity my-spec --phase phase-1", "review prepare my-spec --task-id phase-1"],
  ["specs find --status all --limit 5", "specs find --limit 5"],
  ["specs list -s all", "specs list"],
  ["plan create Tides --template detailed", "plan create Tides"],
  ["review spec my-spec --dry-run", "review prepare my-spec"],
  ["modify task remove my-spec t --dry-run", "modify remove-task --confirm my-spec t --dry-run"],
  ["modify task remove my-spec t", "modify remove-task my-spec t"],
  ["specs create New --template empty --mission M", "specs create New --mission M"],
  ["specs create New --template medium", "specs create New --template medium"],
  ["validate fix -- --no-backup", "validate fix -- --no-backup"],
  ["modify add-task my-spec", "modify add-task my-spec"],
  ["contract check -- modify task add", "contract check -- modify task add"],
  ["", ""],
])("replaces %s by %s", (written, current) => {
  expect(replaceRenamedCommand(written.split(" "))).toEqual(current.split(" "));
});
