import { contentNotFound } from "../../archive/content-failures.ts";
import { CodePointText } from "./code-point-text.ts";
import { findPart } from "./find-part.ts";

/** Archived content, or a part of it, in the form in which it is given back. */
export type OpenContent =
  | { readonly type: "application/json"; readonly items: readonly unknown[] }
  | {
      readonly type: "application/json" | "text/plain";
      readonly items?: undefined;
      readonly text: CodePointText;
    };

/** Opens content: a list by its items, a text as it is, and everything else as its JSON. */
export function openContent(bytes: Uint8Array, contentId: string | undefined): OpenContent {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (contentId === undefined) return { type: typeOf(whole), text: new CodePointText(whole) };
  const part = isPayload(whole) ? findPart(JSON.parse(whole), contentId) : undefined;
  if (part === undefined) throw contentNotFound("content_id", contentId);
  const { value } = part;
  if (Array.isArray(value)) return { type: "application/json", items: value };
  if (typeof value === "string") return { type: "text/plain", text: new CodePointText(value) };
  return { type: "application/json", text: new CodePointText(JSON.stringify(value)) };
}

function typeOf(text: string): "application/json" | "text/plain" {
  return isPayload(text) ? "application/json" : "text/plain";
}

/** Answers are kept as the JSON of their payload, an object; what a tool keeps by itself may be any text. */
function isPayload(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
