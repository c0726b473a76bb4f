import { ContractError, type JsonValue, validationError } from "@foundry-mcp/contract";
import type { SpecModel } from "./spec-model.ts";

/** The most code points of a title. */
export const maxTitleLength = 500;
/** The most code points of any other text. */
export const maxTextLength = 20_000;
/** The most levels below a field; validation finds more than 64 below a spec unusual. */
export const maxDepth = 50;
/** The most nodes of a spec. */
export const maxNodes = 100_000;
/** The most bytes of a spec. */
export const maxBytes = 64 * 2 ** 20;

/** Refuses a title that is empty or too long. */
export function requireTitle(field: string, title: string): void {
  if (title.trim() === "") throw validationError({ field, constraint: "min_length", expected: "not empty" });
  requireLength(field, title, maxTitleLength);
}

/** Refuses a text that is too long; one that is not given passes. */
export function requireText(field: string, text: string | undefined): void {
  if (text !== undefined) requireLength(field, text, maxTextLength);
}

/** Refuses a value in which any text is too long, or which is nested too deeply to be told again. */
export function requireTexts(field: string, value: JsonValue | undefined, depth = 0): void {
  if (typeof value === "string") requireText(field, value);
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw tooDeep(field);
  for (const [key, each] of Object.entries(value)) requireTexts(`${field}.${key}`, each, depth + 1);
}

/** Refuses hours that no clock could show. */
export function requireHours(field: string, hours: number | undefined): void {
  if (hours === undefined || (Number.isFinite(hours) && hours >= 0)) return;
  throw validationError({ field, constraint: "minimum", received: hours, expected: "a number from 0" });
}

/** Refuses nodes beyond what a spec may hold. */
export function requireRoom(spec: SpecModel, added: number): void {
  const count = spec.ids.length + added;
  if (count <= maxNodes) return;
  throw new ContractError(
    `Cannot add ${added} nodes to spec "${spec.id}": it would have ${count}, and ${maxNodes} is the most`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: 'Put the work into a spec of its own with authoring(action="spec-create").',
      details: { spec_id: spec.id, nodes: spec.ids.length, limit: maxNodes },
    },
  );
}

/** The first code points of a text, as many as a title may have. */
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

function requireLength(field: string, text: string, most: number): void {
  // A code point has at most two code units, so short texts need no counting.
  if (text.length <= most) return;
  const length = text.length > 2 * most ? text.length : [...text].length;
  if (length <= most) return;
  throw new ContractError(`Cannot take ${field}: it is ${length} characters long, and ${most} is the most`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: `Shorten ${field} to ${most} characters.`,
    details: { field, constraint: "max_length", length, limit: most },
  });
}
