import { type FileHandle, open } from "node:fs/promises";
import { ContractError } from "@foundry-mcp/contract";

const maxBytes = 10 * 2 ** 20;

/** Reads a UTF-8 file of at most 10 MB; `what` names it in messages, such as "the calls file". */
export async function readTextFile(path: string, what: string): Promise<string> {
  const bytes = await readBytes(path, what);
  if (bytes.length > maxBytes) throw unreadable(path, what, "it is larger than 10 MB");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(path, what, "it is no UTF-8 text", cause);
  }
}

async function readBytes(path: string, what: string): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const chunks: Uint8Array[] = [];
    let length = 0;
    // Reads up to the limit, since devices and pipes have no known size.
    while (length <= maxBytes) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(64 * 1024) });
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw unreadable(path, what, reasons[code] ?? "it cannot be read", cause);
  } finally {
    await file?.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its links go round in a circle",
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
