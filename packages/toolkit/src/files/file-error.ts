import { ContractError, type ErrorCode, isContractError } from "@foundry-mcp/contract";
import { systemErrorCode } from "./system-error.ts";

/** The parts of the ContractError for a file system error: the error code, the reason and the remediation. */
type ErrorMapping = readonly [code: ErrorCode, why: string, remediation: string];

const noPermission: ErrorMapping = [
  "FORBIDDEN",
  "permission is denied",
  "Give the user that runs this program the right to write the file and its folder.",
];
const noSpace: ErrorMapping = [
  "RESOURCE_EXHAUSTED",
  "the disk is full",
  "Free space on the disk, then try again.",
];
const manyFiles: ErrorMapping = [
  "RESOURCE_EXHAUSTED",
  "too many files are open",
  "Try again in a moment, or raise the limit of open files.",
];
const badPath = (why: string): ErrorMapping => [
  "INVALID_PATH",
  why,
  "Put a regular file in regular folders at this path, then try again.",
];

const mappings: Readonly<Record<string, ErrorMapping>> = {
  ENOSPC: noSpace,
  EDQUOT: ["RESOURCE_EXHAUSTED", "the quota of the disk is used up", noSpace[2]],
  EFBIG: [
    "RESOURCE_EXHAUSTED",
    "the limit of file sizes is reached",
    "Raise the limit of file sizes, then try again.",
  ],
  EMFILE: manyFiles,
  ENFILE: manyFiles,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: ["UNAVAILABLE", "the disk is read-only", "Make the disk writable, or use a folder on another one."],
  ENOENT: ["NOT_FOUND", "the file or its folder does not exist", "Check whether it was moved or removed."],
  EEXIST: [
    "DUPLICATE_ENTRY",
    "a file of this name exists",
    "Choose another name, or move away the file that has it.",
  ],
  EBUSY: ["RESOURCE_BUSY", "another program uses it", "Close it in other programs, then try again."],
  EISDIR: badPath("it is a folder"),
  ENOTDIR: badPath("a part of its path is no folder"),
  ELOOP: badPath("its links form a cycle"),
  ENAMETOOLONG: badPath("its name is too long"),
  EXDEV: badPath("the two folders are on different disks"),
};

const otherMapping: ErrorMapping = [
  "UNAVAILABLE",
  "the disk reports an error",
  "Check the disk, then try again: the previous content is unchanged.",
];

/**
 * Converts a file system error into a ContractError; other errors are returned unchanged. `operation` completes "Cannot
 * …", such as `write "active/my-spec.json"`. `name` is the path relative to the folder that users know, so that
 * messages do not reveal the location of that folder.
 */
export function toFileError(err: unknown, operation: string, name: string): unknown {
  const reason = systemErrorCode(err);
  if (isContractError(err) || !/^E[A-Z0-9]+$/.test(reason)) return err;
  const [errorCode, why, remediation] = mappings[reason] ?? otherMapping;
  return new ContractError(`Cannot ${operation}: ${why}`, {
    errorCode,
    remediation,
    details: { path: name, reason },
    cause: err,
  });
}
