import { basename } from "node:path";

const pattern = /^\..*\.([0-9a-f]{8})-([1-9][0-9]*)-([0-9a-f]{16})\.tmp$/s;

/** The process that created a temporary file. */
export interface TemporaryOrigin {
  /** Eight hex digits that identify the machine, boot and namespace of the pid. */
  readonly scope: string;
  readonly pid: number;
}

/**
 * Returns the name prefix of all temporary files for one file; the prefix is shortened because file systems limit
 * the length of names.
 */
export function temporaryPrefix(path: string): string {
  return `.${basename(path).slice(0, 60).toWellFormed()}.`;
}

/** Returns the name of a temporary file, to be created in the folder of the file that it will replace. */
export function toTemporaryName(path: string, { scope, pid }: TemporaryOrigin, nonce: string): string {
  return `${temporaryPrefix(path)}${scope}-${pid}-${nonce}.tmp`;
}

/** Parses the name of a temporary file; undefined for any other name. */
export function parseTemporaryName(name: string): (TemporaryOrigin & { readonly nonce: string }) | undefined {
  const [, scope, pid, nonce] = pattern.exec(name) ?? [];
  return scope === undefined || nonce === undefined ? undefined : { scope, pid: Number(pid), nonce };
}
