import { join } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { type FileSystem, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";

/**
 * The number of the form of the files in `.foundry`. A version that changes this form increases the number, and writes
 * it to the format file before its first other file. Format 1 has no format file.
 */
export const fileFormat = 1;

const name = "format.json";
const maxBytes = 4_096;
/** A version that may be repeated in a message. */
const shortVersion = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[a-z0-9.]{1,20})?$/;

/**
 * Fails if a newer version of Foundry has written files in a form that this version does not know. This version would
 * damage such files if it changed them.
 *
 * @param folder - the `.foundry` folder
 */
export async function requireKnownFormat(fs: FileSystem, folder: string): Promise<void> {
  const file = await unlessMissing(fs.readFile(join(folder, name), maxBytes)).catch((err: unknown) => {
    throw toFileError(err, "read the format of the files", `.foundry/${name}`);
  });
  if (file === undefined) return;
  const { format, version } = parseFormat(file.bytes);
  if (typeof format === "number" && format <= fileFormat) return;
  const writer =
    typeof version === "string" && shortVersion.test(version) ? `foundry-mcp ${version}` : "a newer version";
  const found = typeof format === "number" ? `format ${format}` : "an unknown format";
  throw new ContractError(
    `Cannot change files in .foundry: ${writer} wrote them in ${found}, and this version knows ${fileFormat}`,
    {
      errorCode: "INVALID_STATE",
      remediation: "Nothing was changed. Update foundry-mcp here: an older version would damage these files.",
      details: { known_format: fileFormat, ...(typeof format === "number" ? { format } : {}) },
    },
  );
}

function parseFormat(bytes: Uint8Array): { readonly format?: unknown; readonly version?: unknown } {
  try {
    const value = parseJsonText(new TextDecoder().decode(bytes));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
