import type { Stats } from "node:fs";
import { ContractError, type ErrorCode } from "@foundry-mcp/contract";

/** A file that an error names: its path relative to the root, and the refused operation, such as `read`. */
export interface RefusedFile {
  readonly verb: string;
  readonly name: string;
  /** True for a file in the private folder; the program creates this folder again when needed. */
  readonly isPrivate: boolean;
}

/** Creates the error for a path that is not below the root. */
export function outsideRoot(file: RefusedFile): ContractError {
  return refuse(file, "it is outside of the folder", "Pass a path inside the workspace.");
}

/** Creates the error for a link in the private folder. The link may be the file itself or a folder in its path. */
export function linkInPrivate(file: RefusedFile, link: string): ContractError {
  const subject = link === file.name ? "it" : JSON.stringify(link);
  return refuse(file, `${subject} is a symbolic link`, recreate("the link", link));
}

/** Creates the error for a link that leads out of the root, or into the private folder. */
export function linkLeadsOut(file: RefusedFile): ContractError {
  return refuse(file, "a link leads out of the folder", replaceLink);
}

/** Creates the error for a link without a target. */
export function linkLeadsNowhere(file: RefusedFile): ContractError {
  return refuse(file, "it is a broken link", replaceLink);
}

const replaceLink = "Replace the link by the file itself, or point it to a file within the same folder.";

/** Creates the error for something that is not a regular file. */
export function notRegular(file: RefusedFile, stat: Stats): ContractError {
  if (stat.isSymbolicLink())
    return file.isPrivate
      ? linkInPrivate(file, file.name)
      : refuse(file, "it is a symbolic link", replaceLink);
  const kind = kindOf(stat);
  const remedy = file.isPrivate
    ? recreate(`the ${kind}`, file.name)
    : "Put a regular file in regular folders at this path, then try again.";
  return refuse(file, `it is a ${kind}`, remedy);
}

/** Creates the error for a file that exceeds the size limit. */
export function fileTooLarge(file: RefusedFile, size: number, maxBytes: number): ContractError {
  const why = `it has ${size.toLocaleString("en")} bytes, more than ${maxBytes.toLocaleString("en")}`;
  const remedy = file.isPrivate
    ? recreate("the file", file.name)
    : "Move the file away, or replace it by a smaller one.";
  return refuse(file, why, remedy, "CONTENT_TOO_LARGE", { bytes: size, max_bytes: maxBytes });
}

/** Creates the error for a folder with too many entries. */
export function folderTooLarge(file: RefusedFile, max: number): ContractError {
  const why = `it holds more than ${max.toLocaleString("en")} files`;
  return refuse(file, why, "Move files out of the folder, then try again.", "CONTENT_TOO_LARGE");
}

/** Creates the error for the removal of a file whose name has a form that this program never creates. */
export function notRemovable(file: RefusedFile): ContractError {
  return refuse(file, "only files that Foundry creates are removed", "Remove the file yourself.");
}

function recreate(what: string, name: string): string {
  return `Remove ${what} ${JSON.stringify(name)}: it is created again when needed.`;
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "folder";
  if (stat.isFIFO()) return "named pipe";
  return stat.isSocket() ? "socket" : "device";
}

function refuse(
  { verb, name }: RefusedFile,
  why: string,
  remediation: string,
  errorCode: ErrorCode = "INVALID_PATH",
  details: object = {},
): ContractError {
  return new ContractError(`Cannot ${verb} ${JSON.stringify(name)}: ${why}`, {
    errorCode,
    remediation,
    details: { path: name, ...details },
  });
}
