import type { UnknownRecord } from "../json/json-value.ts";

/** The options of failures and of builders that have another name on the wire. */
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

/** Throws for an option in the spelling of the wire: plain JavaScript would drop it, and the answer would lack it. */
export function refuseWireNames(builder: string, options: object): void {
  for (const key in options) {
    const name = key.includes("_") ? byWireName.get(key) : undefined;
    if (name !== undefined && (options as UnknownRecord)[key] !== undefined) {
      throw new TypeError(`Cannot build the answer: ${builder} takes no option ${key}; write ${name}`);
    }
  }
}
