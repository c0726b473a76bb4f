import { join } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { type FileSystem, systemErrorCode, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { isSpecId } from "../spec-store.ts";
import { sidecarFolder } from "./spec-files.ts";

/** The location of a spec file. */
export interface SpecLocation {
  readonly id: string;
  readonly folder: SpecFolder;
  /** The path relative to the specs folder, with forward slashes. */
  readonly path: string;
  readonly file: string;
  /**
   * True for a spec in the trash; `folder` is then the folder from which the spec was removed.
   * @default false
   */
  readonly isTrashed?: true | undefined;
}

/** The place of a spec file: a status folder, or the trash. */
export type Shelf = SpecFolder | "trash";

/** Returns the folder of a location, or `trash` for a spec in the trash. */
export function shelfOf({ folder, isTrashed }: Pick<SpecLocation, "folder" | "isTrashed">): Shelf {
  return isTrashed ? "trash" : folder;
}

const trashFolder = `${sidecarFolder}/trash`;
const extension = ".json";

/** The spec files of a folder, sorted by status folder and name. */
export interface ListedLocations {
  readonly locations: readonly SpecLocation[];
  /** The paths of files whose names are not valid spec ids. */
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

/** Lists the specs in the trash. */
export async function listTrashed(fs: FileSystem, root: string): Promise<readonly SpecLocation[]> {
  const locations: SpecLocation[] = [];
  for (const folder of specFolders)
    for (const name of await readNames(fs, root, `${trashFolder}/${folder}`)) {
      const id = name.slice(0, -extension.length);
      if (name.endsWith(extension) && isSpecId(id)) locations.push(toTrashLocation(root, folder, id));
    }
  return locations;
}

/** Finds the file of a spec in the trash; undefined if there is no such file. */
export function findTrashed(fs: FileSystem, root: string, id: string): Promise<SpecLocation | undefined> {
  return findIn(fs, root, id, toTrashLocation);
}

/** Finds the file of a spec; undefined if there is no such file. */
export function findLocation(fs: FileSystem, root: string, id: string): Promise<SpecLocation | undefined> {
  return findIn(fs, root, id, toLocation);
}

/** Finds the only location of an id. The id is validated before it becomes part of a path. */
async function findIn(
  fs: FileSystem,
  root: string,
  id: string,
  toPlace: typeof toLocation,
): Promise<SpecLocation | undefined> {
  if (!isSpecId(id)) return undefined;
  const locations: SpecLocation[] = [];
  for (const folder of specFolders) {
    const location = toPlace(root, folder, id);
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
    // A status folder that is a file or a link to itself contains no specs. The search continues in the other
    // folders.
    if (["ENOTDIR", "ELOOP"].includes(systemErrorCode(err))) return false;
    throw toFileError(err, `look for the spec "${path}"`, path);
  }
}

/** Returns the location of a spec in a status folder. */
export function toLocation(root: string, folder: SpecFolder, id: string): SpecLocation {
  const name = `${id}${extension}`;
  return { id, folder, path: `${folder}/${name}`, file: join(root, folder, name) };
}

/**
 * Returns the location of a spec in the trash. The path contains the folder from which the spec was removed.
 */
export function toTrashLocation(root: string, folder: SpecFolder, id: string): SpecLocation {
  const path = `${trashFolder}/${folder}/${id}${extension}`;
  return { id, folder, path, file: join(root, path), isTrashed: true };
}

const maxReads = 4;

/**
 * Reads the names in a folder. A rename during the read may hide the file that it replaces. Therefore, a
 * folder that changes during the read is read again, and every name that was seen in any of the reads is
 * returned.
 */
async function readNames(fs: FileSystem, root: string, folder: string): Promise<readonly string[]> {
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
  return new ContractError(`Spec "${id}" exists twice: ${paths.join(" and ")}`, {
    errorCode: "CONFLICT",
    remediation: "Keep one of the files, and move the other out of the folders.",
    details: { spec_id: id, paths },
  });
}
