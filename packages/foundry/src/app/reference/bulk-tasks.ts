import { isRecord } from "@foundry-mcp/contract";
import type { CompatibleParameter } from "@foundry-mcp/toolkit";
import { fromJsonText, metadataOfTask } from "./parameters.ts";

/**
 * Converts the tasks of the action phase-add-bulk. The fields in `metadata_defaults`, of the call or of its phase, are copied to all tasks, and
 * fields that are metadata on this server are moved to the metadata. A list that cannot be parsed is passed on
 * unchanged, so that the validation refuses it.
 */
export const toBulkTasks: CompatibleParameter = (_, given) => {
  const tasks = fromJsonText(given["tasks"]);
  const phase = fromJsonText(given["phase"]);
  const ofPhase = isRecord(phase) ? fromJsonText(phase["metadata_defaults"]) : undefined;
  const ofCall = fromJsonText(given["metadata_defaults"] ?? {});
  const defaults = isRecord(ofCall) && isRecord(ofPhase) ? { ...ofPhase, ...ofCall } : ofCall;
  if (!isRecord(defaults) || !Array.isArray(tasks))
    return given["metadata_defaults"] === undefined
      ? { tasks }
      : "Pass metadata_defaults as an object, together with tasks.";
  return { tasks: tasks.map((task) => (isRecord(task) ? toTask({ ...defaults, ...task }) : task)) };
};

function toTask(fields: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(fields).filter((name) => metadataOfTask.includes(name));
  if (names.length === 0 && fields["category"] === undefined) return fields;
  const others = Object.entries(fields).flatMap(([name, value]) =>
    names.includes(name) ? [] : [[name === "category" ? "task_category" : name, value] as const],
  );
  const own = isRecord(fields["metadata"]) ? fields["metadata"] : {};
  const moved = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const metadata = names.length === 0 ? fields["metadata"] : { ...own, ...moved };
  return { ...Object.fromEntries(others), ...(metadata === undefined ? {} : { metadata }) };
}
