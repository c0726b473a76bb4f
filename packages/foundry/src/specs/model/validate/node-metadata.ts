import { isRecord, type RemedyCall, type UnknownRecord } from "@foundry-mcp/contract";
import { defaultVerificationType, levels, taskCategories, verificationTypes } from "../known-values.ts";
import type { SpecCheck } from "./check-context.ts";
import type { AddFinding, DiagnosticCode } from "./diagnostics.ts";
import { checkLevel, invalidMetadata, isBlank, isEmpty } from "./metadata.ts";
import { quote } from "./quote.ts";
import { resolveNodeType, resolveStatus, resolveVerificationType, useOneOf } from "./resolve-value.ts";

/** Checks the metadata of nodes. */
export const checkNodeMetadata: SpecCheck = ({ nodes, isStrict }, add) => {
  for (const [id, node] of nodes) {
    const { metadata = {}, status } = node;
    if (!isRecord(metadata)) {
      add(invalidMetadata(["hierarchy", id, "metadata"], metadata));
      continue;
    }
    const type = resolveNodeType(id, node["type"]);
    if (type === "verify") checkVerification(id, metadata["verification_type"], add);
    checkOptionalFields(id, metadata, add);
    // The metadata of completed tasks need not be improved.
    if (type === "task" && (isStrict || resolveStatus(status) !== "completed"))
      adviseTask(id, node, metadata, add);
  }
};

function checkVerification(id: string, value: unknown, add: AddFinding): void {
  if ((verificationTypes as readonly unknown[]).includes(value)) return;
  const path = ["hierarchy", id, "metadata", "verification_type"];
  const meant = resolveVerificationType(value);
  if (value === undefined)
    add({
      ...{ code: "MISSING_VERIFICATION_TYPE", path },
      message: "Missing verification_type",
      remedy: `Set verification_type to ${defaultVerificationType}.`,
      edits: [{ op: "set", path, value: defaultVerificationType }],
    });
  else
    add({
      ...{ code: "INVALID_VERIFICATION_TYPE", path, isMinor: meant !== undefined },
      message: `Invalid verification_type value: ${quote(value)}`,
      remedy: `${useOneOf(value, verificationTypes, meant)} Fix sets it to ${meant ?? "manual"}.`,
      edits: [{ op: "set", path, value: meant ?? "manual" }],
    });
}

/** Checks optional fields that allow only certain values. */
function checkOptionalFields(id: string, metadata: UnknownRecord, add: AddFinding): void {
  const { task_category: category, complexity, acceptance_criteria: criteria } = metadata;
  const parent = ["hierarchy", id, "metadata"];
  if (category !== undefined && !(taskCategories as readonly unknown[]).includes(category))
    add({
      ...{ code: "INVALID_TASK_CATEGORY", path: [...parent, "task_category"] },
      message: `Invalid task_category value: ${quote(category)}`,
      remedy: useOneOf(category, taskCategories),
      call: updateCall(id, "task_category"),
    });
  if (complexity !== undefined)
    checkLevel("INVALID_COMPLEXITY", [...parent, "complexity"], complexity, add, complexityCall(id));
  if (criteria !== undefined && !(Array.isArray(criteria) && !criteria.some(isBlank)))
    add({
      ...{ code: "INVALID_ACCEPTANCE_CRITERIA", path: [...parent, "acceptance_criteria"] },
      message: "The acceptance criteria are not a list of texts",
      remedy: "Make them a list with one text for each criterion.",
      call: updateCall(id, "acceptance_criteria"),
    });
}

function adviseTask(id: string, node: UnknownRecord, metadata: UnknownRecord, add: AddFinding): void {
  const { task_category: category, description, details, acceptance_criteria: criteria } = metadata;
  const advise = (
    code: DiagnosticCode,
    field: string,
    what: string,
    { call = updateCall(id, field), values }: { call?: RemedyCall; values?: readonly string[] } = {},
  ) =>
    add({
      ...{ code, path: ["hierarchy", id, "metadata", field] },
      message: `The task has no ${what}`,
      remedy: `Set metadata.${field}${values === undefined ? "" : ` to one of ${values.join(", ")}`}.`,
      call,
    });
  if (category === undefined)
    advise("MISSING_TASK_CATEGORY", "task_category", "category", { values: taskCategories });
  // Older files store the description in other fields.
  const isDescribed = !isBlank(description) || !isBlank(node["description"]) || !isEmpty(details);
  if (!isDescribed) advise("MISSING_TASK_DESCRIPTION", "description", "description");
  if (criteria === undefined || (Array.isArray(criteria) && criteria.length === 0))
    advise("MISSING_ACCEPTANCE_CRITERIA", "acceptance_criteria", "acceptance criteria");
  const isCode = category === "implementation" || category === "refactoring";
  if (isCode && isBlank(metadata["file_path"])) advise("MISSING_FILE_PATH", "file_path", "file path");
  if (metadata["complexity"] === undefined)
    advise("MISSING_COMPLEXITY", "complexity", "complexity", { call: complexityCall(id), values: levels });
}

/** Returns a call that sets the complexity. The value in the call is an example of an allowed value. */
function complexityCall(task_id: string): RemedyCall {
  return { tool: "task", action: "update", arguments: { task_id, metadata: { complexity: "medium" } } };
}

/** Returns the call that sets a field of a task. Only the caller knows the new value of the field. */
function updateCall(task_id: string, parameter: string): RemedyCall {
  return { tool: "task", action: "update", arguments: { task_id }, needs: [parameter] };
}
