/** What may stand in the place of an id: a file name without folders, on every system. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** True for an id that a spec can have; whatever could lead out of a folder is none. */
export function isSpecId(id: string): boolean {
  return pattern.test(id) && !id.includes("..") && !id.endsWith(".");
}
