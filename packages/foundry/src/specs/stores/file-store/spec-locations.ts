import { join } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { type FileSystem, systemErrorCode, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { isSpecId } from "../spec-store.ts";

/** The location of a spec file. */
export interface SpecLocation {
  readonly id: string;
  readonly folder: SpecFolder;
  /** Relative to the specs folder, with forward slashes. */
  readonly path: string;
  readonly file: string;
}

const extension = ".json";

/** The spec files of a folder, ordered by status folder and name. */
export interface ListedLocations {
  readonly locations: readonly SpecLocation[];
  /** The paths of files whose name is not a valid spec id. */
  readonly misnamed: readonly string[];
}

/** Lists all spec files. */
export async function listLocations(fs: FileSystem, root: string): Promise<ListedLocations> {
  const locations: SpecLocation[] = [];
  const misnamed: string[] = [];
  for (const folder of specFolders) {
    const names = await readNames(fs, root, folder);
    for (const name of names.toSorted()) {
      const id = name.slice(0, -extension.length);
      // Hidden files are ignored.
      if (!name.endsWith(extension) || name.startsWith(".")) continue;
      if (isSpecId(id)) locations.push(toLocation(root, folder, id));
      else misnamed.push(`${folder}/${name}`);
    }
  }
  return { locations, misnamed };
}

/** Finds the file of a spec; undefined if there is none. The id is validated before it becomes part of a path. */
export async function findLocation(
  fs: FileSystem,
  root: string,
  id: string,
): Promise<SpecLocation | undefined> {
  if (!isSpecId(id)) return undefined;
  const locations: SpecLocation[] = [];
  for (const folder of specFolders) {
    const location = toLocation(root, folder, id);
    if (await exists(fs, location)) locations.push(location);
  }
  const [location, second] = locations;
  if (second !== undefined) throw specDuplicated(id, locations);
  return location;
}

async function exists(fs: FileSystem, { file, path }: SpecLocation): Promise<boolean> {
  try {
    return (await unlessMissing(fs.lstat(file))) !== undefined;
  } catch (err) {
    // Nothing can lie in a status folder that is a file or a link to itself: other folders are still served.
    if (["ENOTDIR", "ELOOP"].includes(systemErrorCode(err))) return false;
    throw toFileError(err, `look for the spec "${path}"`, path);
  }
}

/** The location of a spec in a status folder. */
export function toLocation(root: string, folder: SpecFolder, id: string): SpecLocation {
  const name = `${id}${extension}`;
  return { id, folder, path: `${folder}/${name}`, file: join(root, folder, name) };
}

const maxReads = 4;

/**
 * Reads the names in a folder. A rename while it is read may hide the file that it replaces, so that a folder that
 * changes meanwhile is read again, and a name that was seen once counts.
 */
async function readNames(fs: FileSystem, root: string, folder: SpecFolder): Promise<readonly string[]> {
  const path = join(root, folder);
  const names = new Set<string>();
  try {
    for (let read = 1; ; read++) {
      const before = await unlessMissing(fs.lstat(path));
      for (const name of (await unlessMissing(fs.readdir(path))) ?? []) names.add(name);
      const after = await unlessMissing(fs.lstat(path));
      if (read === maxReads || before?.mtimeMs === after?.mtimeMs) return [...names];
    }
  } catch (err) {
    throw toFileError(err, `list the folder "${folder}"`, folder);
  }
}

function specDuplicated(id: string, locations: readonly SpecLocation[]): ContractError {
  const paths = locations.map(({ path }) => path);
  return new ContractError(`Spec "${id}" is there twice: ${paths.join(" and ")}`, {
    errorCode: "CONFLICT",
    remediation: "Keep one of the files, and move the other out of the folders.",
    details: { spec_id: id, paths },
  });
}
