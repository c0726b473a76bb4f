import { createHash } from "node:crypto";

const maxLength = 64;
const hashLength = 8;

/**
 * Converts a name to one that clients accept: replaces invalid characters with `_`, and shortens a name that is too
 * long to its start and a hash of the name.
 */
export function toServedName(wanted: string): string {
  const name = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return name.length >= 1 && name.length <= maxLength ? name : withHash(name, wanted);
}

/** Returns a unique name: the start of `name`, followed by a hash of the text that identifies the tool. */
export function withHash(name: string, identity: string): string {
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, hashLength);
  return `${name.slice(0, maxLength - hashLength - 1)}_${hash}`;
}
