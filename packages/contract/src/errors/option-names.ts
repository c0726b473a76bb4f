import type { UnknownRecord } from "../json/json-value.ts";

/** The options of failures and builders whose wire names differ from their option names. */
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
 * Throws for an option in wire spelling, because plain JavaScript code would otherwise pass such an option without
 * any effect.
 */
export function refuseWireNames(builder: string, options: object): void {
  for (const key in options) {
    const name = key.includes("_") ? byWireName.get(key) : undefined;
    if (name !== undefined && (options as UnknownRecord)[key] !== undefined) {
      throw new TypeError(`Cannot build the answer: ${builder} takes no option ${key}; write ${name}`);
    }
  }
}
