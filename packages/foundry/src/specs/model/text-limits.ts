import { ContractError, type JsonValue, validationError } from "@foundry-mcp/contract";
import type { SpecModel } from "./spec-model.ts";

/** The maximum number of code points of a title. */
export const maxTitleLength = 500;
/** The maximum number of code points of any other text. */
export const maxTextLength = 20_000;
/** The maximum depth of a field's value. Validation warns about more than 64 levels in a whole spec. */
export const maxDepth = 50;
/** The maximum number of nodes of a spec. */
export const maxNodes = 100_000;
/** The maximum number of ids in all lists of dependencies of a spec. */
export const maxLinks = 1_000_000;
/** The maximum size of a spec in bytes. */
export const maxBytes = 64 * 2 ** 20;

/** Throws for a title that is empty or too long. */
export function requireTitle(field: string, title: string): void {
  if (title.trim() === "") throw validationError({ field, constraint: "min_length", expected: "not empty" });
  requireLength(field, title, maxTitleLength);
}

/** Throws for a text that is too long. The value undefined is allowed. */
export function requireText(field: string, text: string | undefined): void {
  if (text !== undefined) requireLength(field, text, maxTextLength);
}

/** Throws for a value that contains a text that is too long, or that is nested too deeply for printing. */
export function requireTexts(field: string, value: JsonValue | undefined, depth = 0): void {
  if (typeof value === "string") requireText(field, value);
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw tooDeep(field);
  for (const [key, each] of Object.entries(value)) requireTexts(`${field}.${key}`, each, depth + 1);
}

/** Throws for hours that are negative or not finite. */
export function requireHours(field: string, hours: number | undefined): void {
  if (hours === undefined || (Number.isFinite(hours) && hours >= 0)) return;
  throw validationError({ field, constraint: "minimum", received: hours, expected: "a number from 0" });
}

/** Throws if a spec would exceed the maximum number of nodes. */
export function requireRoom(spec: SpecModel, added: number): void {
  const count = spec.ids.length + added;
  if (count <= maxNodes) return;
  throw new ContractError(
    `Cannot add ${added} nodes to spec "${spec.id}": it would have ${count}, more than the limit of ${maxNodes}`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Put the work into another spec: {1}.",
      remedy: { tool: "authoring", action: "spec-create", needs: ["name"] },
      details: { spec_id: spec.id, nodes: spec.ids.length, limit: maxNodes },
    },
  );
}

/** Truncates a text to the maximum length of a title. */
export function toTitle(text: string): string {
  return text.length <= maxTitleLength ? text : [...text].slice(0, maxTitleLength).join("");
}

function tooDeep(field: string): ContractError {
  const [name = field] = field.split(".");
  return new ContractError(`Cannot take ${name}: it is nested more than ${maxDepth} levels deep`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: `Flatten ${name}.`,
    details: { field: name, constraint: "max_depth", limit: maxDepth },
  });
}

function requireLength(field: string, text: string, max: number): void {
  // A code point has at most two code units, so the code points of a short text need not be counted.
  if (text.length <= max) return;
  const length = text.length > 2 * max ? text.length : [...text].length;
  if (length <= max) return;
  throw new ContractError(
    `Cannot take ${field}: it is ${length} characters long, more than the limit of ${max}`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: `Shorten ${field} to ${max} characters.`,
      details: { field, constraint: "max_length", length, limit: max },
    },
  );
}
