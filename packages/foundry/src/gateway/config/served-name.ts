import { createHash } from "node:crypto";

const maxLength = 64;
const hashLength = 8;

/** Returns a name that clients accept: other characters become `_`, and the end of a long name becomes a hash. */
export function toServedName(wanted: string): string {
  const name = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return name.length >= 1 && name.length <= maxLength ? name : withHash(name, wanted);
}

/** Returns a name that no other tool has: `wanted` followed by a hash of what identifies the tool. */
export function withHash(name: string, identity: string): string {
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, hashLength);
  return `${name.slice(0, maxLength - hashLength - 1)}_${hash}`;
}
