import { ContractError, type ErrorCode, isContractError } from "@foundry-mcp/contract";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";

/** What a failure of the file system means for the caller: the code, why, and what to do. */
type Meaning = readonly [code: ErrorCode, why: string, remediation: string];

const noPermission: Meaning = [
  "FORBIDDEN",
  "permission is denied",
  "Give the user that runs the server the right to write the file and its folder.",
];
const noSpace: Meaning = [
  "RESOURCE_EXHAUSTED",
  "the disk is full",
  "Free space on the disk, then try again.",
];
const manyFiles: Meaning = [
  "RESOURCE_EXHAUSTED",
  "too many files are open",
  "Try again in a moment, or raise the limit of open files.",
];
const badPlace = (why: string): Meaning => [
  "INVALID_PATH",
  why,
  "Put a plain file in plain folders in this place, then try again.",
];

const meanings: Readonly<Record<string, Meaning>> = {
  ENOSPC: noSpace,
  EDQUOT: ["RESOURCE_EXHAUSTED", "the quota of the disk is used up", noSpace[2]],
  EFBIG: [
    "RESOURCE_EXHAUSTED",
    "files may not grow so large",
    "Raise the limit of file sizes, then try again.",
  ],
  EMFILE: manyFiles,
  ENFILE: manyFiles,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: ["UNAVAILABLE", "the disk is read-only", "Make the disk writable, or use a folder on another one."],
  ENOENT: ["NOT_FOUND", "it is not there, or its folder is not", "Look whether it was moved or removed."],
  EEXIST: ["DUPLICATE_ENTRY", "the name is taken", "Choose another name, or move away the file that has it."],
  EBUSY: ["RESOURCE_BUSY", "another program uses it", "Close it in other programs, then try again."],
  EISDIR: badPlace("it is a folder"),
  ENOTDIR: badPlace("a part of its path is no folder"),
  ELOOP: badPlace("its links go round in a circle"),
  ENAMETOOLONG: badPlace("its name is too long"),
  EXDEV: badPlace("the two folders are on different disks"),
};

const otherwise: Meaning = [
  "UNAVAILABLE",
  "the disk reports an error",
  "Check the disk, then try again: what was there before is unchanged.",
];

/**
 * The failure that callers see where the file system failed. `deed` says what was to be done, such as
 * `write "active/my-spec.json"`, and `name` is the file from the folder that users know: where that folder
 * lies is not told. What is no failure of the file system comes back as it is.
 */
export function toFileError(err: unknown, deed: string, name: string): unknown {
  const reason = systemErrorCode(err);
  if (isContractError(err) || !/^E[A-Z0-9]+$/.test(reason)) return err;
  const [errorCode, why, remediation] = meanings[reason] ?? otherwise;
  return new ContractError(`Cannot ${deed}: ${why}`, {
    errorCode,
    remediation,
    details: { path: name, reason },
    cause: err,
  });
}
