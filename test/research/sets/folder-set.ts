import { readFileSync } from "node:fs";
import { join } from "node:path";
import { obtainFiles } from "./obtain-document.ts";
import { setsFolder } from "./question-sets.ts";

/** A question about a folder, with the documents that answer it. */
export interface FolderQuestion {
  readonly id: string;
  readonly question: string;
  /** Each of these documents answers the question by itself. */
  readonly documents: readonly string[];
}

/** A file of the folder. `as` is its path there, and `path` is its path in the package. */
export interface FolderFile {
  readonly as: string;
  readonly package: string;
  readonly path: string;
  readonly sha256: string;
}

/** A folder of mixed files, with questions about it. */
export interface FolderSet {
  /** The versions of the packages. */
  readonly packages: Readonly<Record<string, string>>;
  readonly files: readonly FolderFile[];
  readonly questions: readonly FolderQuestion[];
  /** The questions whose reports a person reads and grades. */
  readonly reports: readonly string[];
}

export function readFolderSet(): FolderSet {
  return JSON.parse(readFileSync(join(setsFolder, "folder.json"), "utf8"));
}

/** Returns the content of each file by its path in the folder. Downloads packages if allowed. */
export async function obtainFolder(
  { packages, files }: FolderSet,
  options: { readonly download: boolean },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const packaged = files.map((file) => ({ ...file, version: packages[file.package] ?? "" }));
  const contents = await obtainFiles(packaged, options);
  return new Map(contents.map((bytes, at) => [files[at]?.as ?? "", bytes]));
}
