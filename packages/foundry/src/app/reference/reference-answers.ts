import { isRecord } from "@foundry-mcp/contract";
import type { CompatibleAnswer, CompatibleKey } from "@foundry-mcp/toolkit";

const same =
  (key: string): CompatibleKey =>
  (record) =>
    record[key];

const inside =
  (outer: string, key: string): CompatibleKey =>
  ({ [outer]: value }) =>
    isRecord(value) ? value[key] : undefined;

/**
 * The number of all matching rows. The number of rows on the page is not used, because the page may be shortened to
 * its token budget after this key is computed.
 */
const count: CompatibleKey = ({ filtered_count: filtered, total_count: total }) => filtered ?? total;

const progress = (prefix = "") => ({
  [`${prefix}total_tasks`]: inside("progress", "total"),
  [`${prefix}completed_tasks`]: inside("progress", "completed"),
  [`${prefix}progress_percentage`]: inside("progress", "percentage"),
});

/** The fields that this server moves out of the metadata of a task. */
const movedFields = [
  ...["description", "file_path", "acceptance_criteria", "task_category", "estimated_hours"],
  ...["priority", "labels", "owner", "discovered_from"],
];

/** The metadata fields of a task, as its file contains them. */
const inMetadata: CompatibleAnswer["keys"] = Object.fromEntries(
  movedFields.map((name) => [`metadata.${name}`, (task) => (task[name] === "" ? undefined : task[name])]),
);

/** Returns a task with its metadata, as its file contains them. */
const taskData: CompatibleKey = ({ task }) => {
  if (!isRecord(task) || !isRecord(task["metadata"])) return task;
  const moved = movedFields.filter((name) => task[name] !== undefined && task[name] !== "");
  const own = Object.fromEntries(moved.map((name) => [name, task[name]]));
  return { ...task, metadata: { ...own, ...task["metadata"] } };
};

const answer = (tool: string, action: string, keys: CompatibleAnswer["keys"]): CompatibleAnswer => ({
  tool,
  action,
  keys,
});

/**
 * The keys that users of the Python foundry-mcp read and that have other names on this server, by the action of this
 * server.
 */
export const referenceAnswers: readonly CompatibleAnswer[] = [
  answer("spec", "list", {
    "specs[].spec_id": same("id"),
    ...progress("specs[]."),
    count,
    total_specs: same("total_count"),
    has_specs: ({ total_count: total }) => total !== 0,
  }),
  answer("spec", "get", { "spec.spec_id": same("spec_id") }),
  answer("spec", "fix", {
    fixes_applied: ({ dry_run: isDryRun, applied_count: applied }) => (isDryRun === true ? 0 : applied),
    post_fix_is_valid: ({ skipped_count: errors }) => errors === 0,
    post_fix_error_count: same("skipped_count"),
  }),
  answer("spec", "find", { status_folder: same("status") }),
  answer("spec", "stats", {
    file_size_kb: ({ file_size_bytes: size }) => (typeof size === "number" ? size / 1024 : undefined),
  }),
  answer("spec", "history", { count }),
  answer("task", "prepare", { task_data: taskData }),
  answer("task", "next", inMetadata),
  answer("task", "query", { "tasks[].id": same("task_id"), count }),
  answer("task", "list-blocked", { "tasks[].id": same("task_id"), count }),
  answer("task", "hierarchy", { total_nodes: same("total_count") }),
  answer("journal", "list", { count }),
  answer("journal", "unjournaled", { count }),
  answer("lifecycle", "state", progress()),
  answer("authoring", "spec-create", { spec_path: same("path") }),
  answer("authoring", "note-list", { count }),
];
