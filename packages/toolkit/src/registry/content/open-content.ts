import { ownIdOf } from "@foundry-mcp/contract/budget";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { contentNotFound } from "../../archive/content-failures.ts";
import { CodePointText } from "./code-point-text.ts";

/** Archived content, or a part of the content, in the form in which it is returned to clients. */
export type OpenContent =
  | { readonly type: "application/json"; readonly items: readonly unknown[] }
  | {
      readonly type: "application/json" | "text/plain";
      readonly items?: undefined;
      readonly text: CodePointText;
    };

/** Opens content or a part of it: a list as its items, a string as text, and everything else as JSON text. */
export function openContent(bytes: Uint8Array, contentId: string | undefined): OpenContent {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (contentId === undefined) return { type: typeOf(whole), text: new CodePointText(whole) };
  const part = isPayload(whole) ? findPart(parseJsonText(whole), contentId) : undefined;
  if (part === undefined) throw contentNotFound("content_id", contentId);
  const { value } = part;
  if (Array.isArray(value)) return { type: "application/json", items: value };
  if (typeof value === "string") return { type: "text/plain", text: new CodePointText(value) };
  return { type: "application/json", text: new CodePointText(JSON.stringify(value)) };
}

function typeOf(text: string): "application/json" | "text/plain" {
  return isPayload(text) ? "application/json" : "text/plain";
}

/**
 * True for the JSON of an object, which is the form of stored responses; content that a tool itself stores may be any
 * text.
 */
function isPayload(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    parseJsonText(text);
    return true;
  } catch {
    return false;
  }
}

/** Finds a part of a payload by its content id: a JSON Pointer, or the part's own id. */
export function findPart(data: unknown, contentId: string): { readonly value: unknown } | undefined {
  return (
    (contentId.startsWith("/") ? resolvePointer(data, contentId) : undefined) ?? findById(data, contentId)
  );
}

function resolvePointer(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = root;
  for (const step of pointer.slice(1).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    // Only numbers are keys of items: an array also has own properties that are not items, such as `length`.
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return { value };
}

/**
 * Finds the first part with an id, in document order; content ids are chosen in such a way that the first
 * part with the id is always the named part. Uses a stack instead of recursion, which could overflow at great
 * depth.
 */
function findById(root: unknown, id: string): { readonly value: unknown } | undefined {
  const stack = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (value !== root && ownIdOf(value) === id) return { value };
    const inner = Object.values(value as object);
    for (let index = inner.length - 1; index >= 0; index--) {
      const part: unknown = inner[index];
      if (typeof part === "object" && part !== null) stack.push(part);
    }
  }
  return undefined;
}
