import { isRecord } from "@foundry-mcp/contract";
import { requiredSpecFields, specIdPattern } from "../known-values.ts";
import type { SpecCheck } from "./check-context.ts";
import { quote } from "./quote.ts";
import { isTimestamp, toTimestamp } from "./timestamp.ts";

/** Checks the required fields of a spec and their formats. */
export const checkStructure: SpecCheck = ({ document, now }, add) => {
  for (const field of requiredSpecFields) {
    if (document[field] !== undefined) continue;
    add({
      code: "MISSING_REQUIRED_FIELD",
      path: [],
      message: `Missing required field: ${field}`,
      remedy: `Add ${field} to the spec.`,
    });
  }
  const { spec_id: id, hierarchy } = document;
  if (id !== undefined && !(typeof id === "string" && specIdPattern.test(id)))
    add({
      code: "INVALID_SPEC_ID_FORMAT",
      path: ["spec_id"],
      message: `Invalid spec id: ${quote(id)}`,
      remedy: "Use lower-case letters, digits and hyphens, such as my-feature-2026-01-31-001.",
    });
  for (const field of ["generated", "last_updated"]) {
    const value = document[field];
    if (value === undefined || isTimestamp(value)) continue;
    const meant = toTimestamp(value);
    add({
      code: "INVALID_DATE_FORMAT",
      path: [field],
      message: `Invalid time in ${field}: ${quote(value)}`,
      remedy: `Set ${field} to ${meant ?? "the time of the fix"}.`,
      edits: [{ op: "set", path: [field], value: meant ?? now }],
    });
  }
  if (hierarchy === undefined) return;
  if (!isRecord(hierarchy))
    add({
      code: "INVALID_HIERARCHY_TYPE",
      path: ["hierarchy"],
      message: `The hierarchy is ${quote(hierarchy)}, not an object of nodes`,
      remedy: "Make it an object with one member for each node.",
    });
  else if (Object.keys(hierarchy).length === 0)
    add({
      code: "EMPTY_HIERARCHY",
      path: ["hierarchy"],
      message: "The hierarchy holds no node",
      remedy: "Add spec-root and a first phase.",
    });
};
