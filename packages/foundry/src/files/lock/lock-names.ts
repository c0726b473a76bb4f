/**
 * Returns a pattern of the lock files and break markers in a folder of locks, relative to the root of the file system.
 */
export function lockNames(folder: string): RegExp {
  const prefix = folder === "" ? "" : `${folder.replaceAll(".", "\\.")}/`;
  return new RegExp(`${prefix}[^/]+\\.lock(?:\\.break\\.(?:[0-9a-f]{16}|unnamed-[0-9]+-[0-9]+))?`);
}
