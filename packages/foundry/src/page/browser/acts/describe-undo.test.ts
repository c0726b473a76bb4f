import { describe, expect, it } from "vitest";
import { describeUndo } from "./describe-undo.ts";

const nodes = [{ id: "task-1-1", title: "Count" }];
const title = "“\u2068Count\u2069”";

describe("describeUndo", () => {
  it.each([
    ["a change", { undone: { action: "task complete", nodes } }, false, `Undone: task complete ${title}`],
    ["an undo", { from_revision: "r2", undone: { action: "spec undo", nodes } }, true, `Redone: ${title}`],
    ["a redo", { from_revision: "r3", undone: { action: "spec undo", nodes } }, false, `Undone: ${title}`],
    ["an undo of the whole spec", { undone: { action: "spec undo" } }, true, "Redone: the last change"],
    ["a change that is not known", {}, false, "Undone: the last change"],
  ])("says what an undo of %s does", (_, data, isRedo, text) => {
    expect(describeUndo(data, new Set(["r3"]))).toEqual({ isRedo, text });
  });
});
