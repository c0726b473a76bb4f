import { isAbsolute, relative, sep } from "node:path";

/** True for a folder itself and every path in it; links are not resolved. */
export function isBelow(path: string, folder: string): boolean {
  const name = relative(folder, path);
  return name !== ".." && !name.startsWith(`..${sep}`) && !isAbsolute(name);
}
