import { ContractError, isContractError } from "@foundry-mcp/contract";
import { readNamedFile, systemErrorCode } from "@foundry-mcp/toolkit/files";

const maxBytes = 10 * 2 ** 20;

/** Reads a UTF-8 file of at most 10 MB. `what` names the file in messages, such as "the calls file". */
export async function readTextFile(path: string, what: string): Promise<string> {
  const bytes = await readNamedFile(path, { maxBytes }).catch((cause: unknown) => {
    const why = isContractError(cause) ? "it is larger than 10 MB" : reasons[systemErrorCode(cause)];
    throw unreadable(path, what, why ?? "it cannot be read", cause);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(path, what, "it is no UTF-8 text", cause);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its links form a cycle",
  ENAMETOOLONG: "its name is too long",
};

function unreadable(path: string, what: string, why: string, cause?: unknown): ContractError {
  return new ContractError(`Cannot read ${what} ${JSON.stringify(path)}: ${why}`, {
    errorCode: "INVALID_PATH",
    remediation: `Name a file of UTF-8 text, of 10 MB at most, that can be read as ${what}.`,
    details: { field: what, constraint: "readable", received: path },
    cause,
  });
}
