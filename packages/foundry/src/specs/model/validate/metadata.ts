import { isRecord, type RemedyCall, type UnknownRecord } from "@foundry-mcp/contract";
import type { EditPath } from "../../../files/json-text/edit.ts";
import { levels } from "../known-values.ts";
import type { SpecCheck } from "./check-context.ts";
import type { AddFinding, DiagnosticCode, Finding } from "./diagnostics.ts";
import { quote } from "./quote.ts";
import { useOneOf } from "./resolve-value.ts";

/** Checks the metadata of a spec. */
export const checkMetadata: SpecCheck = ({ document }, add) => {
  const { metadata = {} } = document;
  if (!isRecord(metadata)) {
    add(invalidMetadata(["metadata"], metadata));
    return;
  }
  const advise = (code: DiagnosticCode, field: string, what: string, call: RemedyCall) =>
    add({
      code,
      path: ["metadata", field],
      message: `The spec has no ${what}`,
      remedy: `Set metadata.${field}.`,
      call,
    });
  const adviseNotes = (code: DiagnosticCode, field: string, what: string, kind: string) => {
    if (metadata[field] === undefined || !isEmpty(metadata[field])) return;
    advise(code, field, what, {
      tool: "authoring",
      action: "note-add",
      arguments: { kind },
      needs: ["text"],
    });
  };
  const advisePath = (code: DiagnosticCode, field: string, what: string) => {
    if (!isBlank(metadata[field])) return;
    const call = { tool: "authoring", action: "spec-update", arguments: { key: field }, needs: ["value"] };
    advise(code, field, what, call);
  };
  if (isBlank(metadata["mission"]))
    advise("MISSING_MISSION", "mission", "mission", {
      tool: "authoring",
      action: "spec-update",
      needs: ["mission"],
    });
  adviseNotes("EMPTY_SUCCESS_CRITERIA", "success_criteria", "success criteria", "success-criterion");
  adviseNotes("EMPTY_CONSTRAINTS", "constraints", "constraints", "constraint");
  advisePath("MISSING_PLAN_PATH", "plan_path", "plan");
  advisePath("MISSING_PLAN_REVIEW_PATH", "plan_review_path", "review of its plan");
  if (metadata["complexity"] !== undefined)
    checkLevel("INVALID_COMPLEXITY", ["metadata", "complexity"], metadata["complexity"], add, {
      tool: "authoring",
      action: "spec-update",
      arguments: { key: "complexity" },
      needs: ["value"],
    });
  checkRisks(metadata["risks"], add);
};

/** Creates the finding for metadata that is not an object. */
export function invalidMetadata(path: readonly string[], value: unknown): Finding {
  return {
    code: "INVALID_METADATA_TYPE",
    path,
    message: `The metadata is ${quote(value)}, not an object`,
    remedy: "Make it an object.",
  };
}

/** Reports a value that is not low, medium or high. */
export function checkLevel(
  code: DiagnosticCode,
  path: EditPath,
  value: unknown,
  add: AddFinding,
  call?: RemedyCall,
): void {
  if ((levels as readonly unknown[]).includes(value)) return;
  const message = `Invalid ${path.at(-1)} value: ${quote(value)}`;
  add({ code, path, message, remedy: useOneOf(value, levels), call });
}

/** True for a value that is not a text or is blank. */
export function isBlank(value: unknown): boolean {
  return typeof value !== "string" || value.trim() === "";
}

/** True for an empty list or a blank text. Older files store a text instead of a list. */
export function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isBlank(value);
}

function checkRisks(risks: unknown, add: AddFinding): void {
  if (risks === undefined) return;
  if (!Array.isArray(risks)) {
    add(invalidRisk(["metadata", "risks"], risks, "a list"));
    return;
  }
  for (const [index, risk] of risks.entries()) {
    const path = ["metadata", "risks", index];
    if (isRecord(risk)) checkRisk(path, risk, add);
    else add(invalidRisk(path, risk, "an object"));
  }
}

function invalidRisk(path: Finding["path"], value: unknown, wanted: string): Finding {
  return {
    code: "INVALID_RISK_ENTRY",
    path,
    message: `The value is ${quote(value)}, not ${wanted}`,
    remedy: "Make each risk an object with a description.",
  };
}

function checkRisk(path: Finding["path"], risk: UnknownRecord, add: AddFinding): void {
  const { description, text, likelihood, impact, mitigation } = risk;
  if (isBlank(description) && isBlank(text))
    add({
      code: "MISSING_RISK_DESCRIPTION",
      path,
      message: "The risk has no description",
      remedy: "Say what may happen in description.",
    });
  if (likelihood !== undefined) checkLevel("INVALID_RISK_FIELD", [...path, "likelihood"], likelihood, add);
  if (impact !== undefined) checkLevel("INVALID_RISK_FIELD", [...path, "impact"], impact, add);
  if (mitigation !== undefined && typeof mitigation !== "string")
    add({
      code: "INVALID_RISK_FIELD",
      path: [...path, "mitigation"],
      message: `Invalid mitigation value: ${quote(mitigation)}`,
      remedy: "Make it a text.",
    });
}
