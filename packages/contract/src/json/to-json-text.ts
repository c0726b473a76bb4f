import { isWritableJson } from "./is-writable-json.ts";
import { type JsonProblem, toJsonValue } from "./to-json-value.ts";

/** A value and its minified text, which hold the same; or why there is none. */
export type JsonText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly text: string;
      readonly repaired: readonly string[];
    }
  | { readonly ok: false; readonly problem: JsonProblem };

/** Well-formed JSON.stringify writes a lone surrogate as `\udXXX`, and nothing else that way but a literal backslash. */
const surrogateEscape = "\\ud";

/**
 * Writes any value as minified JSON, or says where JSON cannot hold it; never throws. `isWritable` is
 * the quick look that decides whether a close one, with a copy, is needed.
 */
export function toJsonText<T extends object>(
  value: T,
  isWritable: (value: T) => boolean = isWritableJson,
): JsonText {
  try {
    if (isWritable(value)) {
      const text = JSON.stringify(value);
      if (!text.includes(surrogateEscape)) return { ok: true, value, text, repaired: [] };
    }
  } catch {
    // Hostile getters and texts beyond the longest string end here: the close look names them.
  }
  const plain = toJsonValue(value);
  if (!plain.ok) return plain;
  try {
    return { ok: true, value: plain.value, text: JSON.stringify(plain.value), repaired: plain.repaired };
  } catch {
    return { ok: false, problem: { path: "$", found: "more text than one string can hold" } };
  }
}
