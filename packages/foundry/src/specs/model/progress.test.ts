import { expect, test } from "vitest";
import { progressOf } from "./spec-model.ts";

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33],
  [2, 3, 66],
  [999, 1000, 99],
  [3, 3, 100],
])("%i of %i is %i %%", (completed, total, percentage) => {
  expect(progressOf({ completed, total })).toEqual({ completed, total, percentage });
});
