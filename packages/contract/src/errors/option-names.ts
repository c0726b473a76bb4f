import type { UnknownRecord } from "../json/json-value.ts";

/** The options whose wire name differs from their option name, such as `error_code` and `errorCode`. */
const optionNames = [
  "requestId",
  "warningDetails",
  "rateLimit",
  "contentFidelity",
  "droppedContentIds",
  "contentArchiveHashes",
  "errorCode",
  "errorType",
] as const;

const byWireName: ReadonlyMap<string, string> = new Map(
  optionNames.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);

/**
 * Throws an error for an option in wire spelling. JavaScript programs have no type check, so such an option would be
 * ignored silently.
 */
export function refuseWireNames(builder: string, options: object): void {
  for (const key in options) {
    const name = key.includes("_") ? byWireName.get(key) : undefined;
    if (name !== undefined && (options as UnknownRecord)[key] !== undefined) {
      throw new TypeError(`Cannot build the answer: ${builder} takes no option ${key}; write ${name}`);
    }
  }
}
