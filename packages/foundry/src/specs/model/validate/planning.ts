import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { EditPath } from "../../../files/json-text/edit.ts";
import { priorities } from "../known-values.ts";
import { planningFields } from "../planning-fields.ts";
import type { SpecCheck } from "./check-context.ts";
import type { AddFinding, DiagnosticCode } from "./diagnostics.ts";
import { quote } from "./quote.ts";
import { useOneOf } from "./resolve-value.ts";

const codes: Readonly<Record<keyof typeof planningFields, DiagnosticCode>> = {
  priority: "INVALID_PRIORITY",
  labels: "INVALID_LABELS",
  owner: "INVALID_OWNER",
  discovered_from: "INVALID_DISCOVERED_FROM",
};

/** Checks the fields that plan the work, in the spec and in its nodes. */
export const checkPlanning: SpecCheck = ({ document, nodes }, add) => {
  checkFields(document["metadata"], ["metadata"], add);
  for (const [id, { metadata }] of nodes) {
    const path = ["hierarchy", id, "metadata"];
    checkFields(metadata, path, add);
    const from = isRecord(metadata) ? metadata["discovered_from"] : undefined;
    if (typeof from === "string" && !nodes.has(from))
      add({
        code: "INVALID_DISCOVERED_FROM",
        path: [...path, "discovered_from"],
        message: `The task was discovered from ${quote(from)}, which does not exist`,
        remedy: "Set it to the id of a task, or remove it.",
      });
  }
};

function checkFields(metadata: unknown, path: EditPath, add: AddFinding): void {
  if (!isRecord(metadata)) return;
  for (const name of Object.keys(codes) as (keyof typeof codes)[]) {
    const { [name]: value }: UnknownRecord = metadata;
    const { isValid, expected } = planningFields[name];
    if (value === undefined || value === null || isValid(value)) continue;
    add({
      code: codes[name],
      path: [...path, name],
      message: `Invalid ${name} value: ${quote(value)}`,
      remedy: name === "priority" ? useOneOf(value, priorities) : `Make it ${String(expected)}.`,
    });
  }
}
