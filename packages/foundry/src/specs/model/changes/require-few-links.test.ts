import { expect, test } from "vitest";
import { specOf } from "../testing/arbitrary-spec.ts";
import { failureOf, runChange } from "../testing/run-change.ts";
import { maxLinks } from "../text-limits.ts";
import { addDependency } from "./change-dependency.ts";
import { startTask } from "./start-task.ts";

/** A spec whose lists of dependencies have a number of ids. */
function specWith(links: number) {
  const spec = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-1/task-1-3");
  const { hierarchy } = spec as { hierarchy: Record<string, Record<string, unknown>> };
  (hierarchy["task-1-3"] as Record<string, unknown>)["dependencies"] = {
    depends: Array.from({ length: links }, () => "task-1-1"),
  };
  return spec;
}
const link = addDependency({ task_id: "task-1-1", depends_on: "task-1-2" });

test("a dependency may fill a spec up to the limit", () => {
  expect(runChange(specWith(maxLinks - 2), link).result).toMatchObject({ task_id: "task-1-1" });
});

test("a dependency beyond the limit is refused, because the spec could not be read again", () => {
  expect(failureOf(specWith(maxLinks - 1), link)).toMatchObject({
    code: "CONTENT_TOO_LARGE",
    message:
      'Cannot change spec "made-up-2026-01-01-001": its lists of dependencies would have 1000001 ids, more than the limit of 1000000',
  });
});

test("other changes of such a spec are not refused", () => {
  const start = startTask({ task_id: "task-1-2" });
  expect(runChange(specWith(maxLinks + 1), start).result).toMatchObject({ status: "in_progress" });
});
