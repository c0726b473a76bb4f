import type { SpecDocument } from "../../model/spec-document.ts";

const links = { blocks: [], blocked_by: [], depends: [] };

/** A spec of one phase with some tasks. */
export function sampleDocument(id: string, tasks = 3): SpecDocument {
  const ids = Array.from({ length: tasks }, (_, index) => `task-1-${index + 1}`);
  const leaf = (title: string) => ({
    type: "task",
    title,
    status: "pending",
    parent: "phase-1",
    children: [],
    total_tasks: 1,
    completed_tasks: 0,
    metadata: { description: `What ${title} is about` },
    dependencies: links,
  });
  return {
    spec_id: id,
    title: `Sample ${id}`,
    generated: "2026-01-02T03:04:05Z",
    last_updated: "2026-01-02T03:04:05Z",
    metadata: { mission: "To be changed by tests" },
    hierarchy: {
      "spec-root": {
        type: "spec",
        title: `Sample ${id}`,
        status: "pending",
        parent: null,
        children: ["phase-1"],
        total_tasks: tasks,
        completed_tasks: 0,
        metadata: {},
        dependencies: links,
      },
      "phase-1": {
        type: "phase",
        title: "The only phase",
        status: "pending",
        parent: "spec-root",
        children: ids,
        total_tasks: tasks,
        completed_tasks: 0,
        metadata: {},
        dependencies: links,
      },
      ...Object.fromEntries(ids.map((each) => [each, leaf(each)])),
    },
    journal: [],
  };
}
