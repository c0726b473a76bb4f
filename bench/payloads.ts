import type { UnknownRecord } from "@foundry-mcp/contract";

/**
 * Returns a payload of task rows, which represents a typical answer. Its JSON text has about the given number of
 * characters.
 */
export function taskRows(characters: number): { tasks: UnknownRecord[]; total_count: number } {
  const perRow = JSON.stringify(taskRow(0)).length + 1;
  const count = Math.max(1, Math.round(characters / perRow));
  return { tasks: Array.from({ length: count }, (_, index) => taskRow(index)), total_count: count };
}

function taskRow(index: number): UnknownRecord {
  return {
    task_id: `task-${1 + (index % 9)}-${index}`,
    title: `Implement the parser for section ${index} of the configuration file`,
    status: index % 3 === 0 ? "completed" : "pending",
    estimated_hours: (index % 16) / 2,
    is_blocked: index % 7 === 0,
    parent: index % 5 === 0 ? null : `phase-${index % 9}`,
    depends_on: [`task-1-${index + 1}`, `task-2-${index + 2}`],
    metadata: { file_path: `src/sections/section-${index}.ts`, category: "implementation", revision: index },
  };
}
