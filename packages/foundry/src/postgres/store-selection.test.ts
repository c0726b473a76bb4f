import { expect, it } from "vitest";
import { describeSelection, toMigrateCommand } from "./store-selection.ts";

it.each([
  ["--store", "postgres", "--store postgres", "foundry-cli store migrate --store postgres"],
  ["FOUNDRY_STORE", "postgres", "FOUNDRY_STORE=postgres", "foundry-cli store migrate"],
  [
    "/home/ann/.config/foundry/foundry.toml",
    "postgres://ann:***@db/team",
    'store = "postgres://ann:***@db/team" in /home/ann/.config/foundry/foundry.toml',
    "foundry-cli store migrate",
  ],
])("names what selected PostgreSQL, and the command that sets it up: %s", (origin, value, named, command) => {
  const selection = { origin, value };
  expect([describeSelection(selection), toMigrateCommand(selection)]).toEqual([named, command]);
});
