import { ContractError, isContractError } from "@foundry-mcp/contract";
import { readNamedFile } from "../files/named-file.ts";
import type { TextSource } from "./text-source.ts";
import { UsageError, usageError } from "./usage-error.ts";

/** Resolves a text from the command line; `option` is the name of the option in errors. */
export type TextReader = (text: string, option: string, source?: TextSource) => Promise<string>;

/**
 * Creates the reader for one command line. The reader replaces `@path` with the content of a file, `-` with
 * the content of stdin, and a leading `@@` with `@`; any other text is returned unchanged. With the source
 * `file`, the text is a path; with the source `literal`, the text is returned unchanged. The signal closes
 * pipes that are still being read.
 */
export function createTextReader(openStdin: () => AsyncIterable<unknown>, signal?: AbortSignal): TextReader {
  let stdinOption: string | undefined;
  return async (text, option, source = "reference") => {
    if (source === "literal") return text;
    if (text === "-") {
      if (stdinOption !== undefined) throw readTwice(stdinOption, option, source);
      stdinOption = option;
      return decode(await readStream(openStdin()), "stdin", option);
    }
    if (source === "file") return readFile(text, "Name a file that can be read, or - for stdin.");
    if (!text.startsWith("@")) return text;
    if (text.startsWith("@@")) return text.slice(1);
    const remediation = `Name a file that can be read, or write @@ for a text that begins with @ in ${option}.`;
    return readFile(text.slice(1), remediation);

    async function readFile(path: string, remediation: string): Promise<string> {
      return decode(await readBytes(path, option, remediation, signal), path, option);
    }
  };
}

async function readStream(stdin: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

async function readBytes(
  path: string,
  option: string,
  remediation: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  try {
    return await readNamedFile(path, { signal });
  } catch (cause) {
    if (isContractError(cause)) throw new UsageError(cause);
    const why = reasons[(cause as NodeJS.ErrnoException).code ?? ""] ?? "it cannot be read";
    throw new UsageError(
      new ContractError(`Cannot read the file "${path}" for ${option}: ${why}`, {
        errorCode: "INVALID_PATH",
        remediation,
        details: { field: option, constraint: "readable", received: path },
      }),
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its links form a cycle",
};

/** Decodes UTF-8; throws for invalid bytes, because the decoder would otherwise replace them silently. */
function decode(bytes: Uint8Array, source: string, option: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError(
      { field: option, constraint: "format", expected: "UTF-8 text" },
      `Cannot read ${option} from ${source}: it is no UTF-8 text`,
      `Give ${option} a file with UTF-8 text.`,
    );
  }
}

function readTwice(first: string, second: string, source: TextSource): UsageError {
  const other = source === "file" ? "a file" : "its value or @file";
  return usageError(
    { field: second, constraint: "duplicate" },
    `Cannot read ${second} from stdin: ${first} has taken it`,
    `Give - to one option only, and ${second} ${other}.`,
  );
}
