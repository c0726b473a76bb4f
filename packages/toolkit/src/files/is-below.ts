import { isAbsolute, relative, sep } from "node:path";

/** True if the path is the folder itself or below it; links are not resolved. */
export function isBelow(path: string, folder: string): boolean {
  const name = relative(folder, path);
  return name !== ".." && !name.startsWith(`..${sep}`) && !isAbsolute(name);
}
