import { ContractError, type ErrorCode } from "@foundry-mcp/contract";
import { stripUserInfo } from "@foundry-mcp/toolkit";
import type { UnusableDocument, UnusableReason } from "./unusable-document.ts";

type Failure = readonly [code: ErrorCode, remediation: string];

/** The error code and remediation for each reason why a document cannot be read. */
const failures: Readonly<Record<UnusableReason, Failure>> = {
  empty: [
    "VALIDATION_ERROR",
    "Give a source that holds text. A scanned PDF, or a picture, must first go through text recognition (OCR); a page that is written by scripts must be saved from a browser.",
  ],
  binary: [
    "INVALID_FORMAT",
    "Give text, Markdown, HTML or PDF: convert the document to one of them, such as with pandoc or by saving it as PDF.",
  ],
  encrypted: [
    "INVALID_FORMAT",
    "Save a copy without a password, such as with qpdf --decrypt, and give that; or give the text itself as source.text.",
  ],
  broken: [
    "INVALID_FORMAT",
    "Get the document again, it may have been cut off; or open it in a program that reads it, and save it anew.",
  ],
  charset: [
    "INVALID_FORMAT",
    'Save the document in UTF-8, or say what it is in: source={"path": …, "content_type": "text/plain; charset=windows-1251"}.',
  ],
  no_reader: [
    "DEPENDENCY_UNAVAILABLE",
    "Install the reader of PDFs beside foundry-mcp: npm install pdfjs-dist; with npx: npx -p foundry-mcp -p pdfjs-dist foundry-mcp. Or convert the PDF to text, such as with pdftotext.",
  ],
  too_large: [
    "CONTENT_TOO_LARGE",
    "Give the parts of the document that matter: split it, or give the text itself as source.text.",
  ],
  too_slow: [
    "TIMEOUT",
    "Try again later; or download the document by other means, and give the file. Reading it changes nothing, so it can be repeated.",
  ],
  unreachable: [
    "UPSTREAM_ERROR",
    "Look whether the address is right and opens in a browser, then try again; or download the document by other means, and give the file.",
  ],
  forbidden: [
    "FORBIDDEN",
    "Give a file within the folder of the workspace that may be read, or an http or https address of the public internet that asks for no password; or give the text itself as source.text.",
  ],
  not_found: [
    "NOT_FOUND",
    "Check the path, the address or the id: paths start from the folder of the workspace, or from where the command is run; content in the archive expires.",
  ],
  not_file: [
    "INVALID_PATH",
    "Give the path of a file; what a pipe or a device gives can be saved to one first.",
  ],
  is_folder: ["INVALID_PATH", "Give the path of a file; the actions digest-batch and start take a folder."],
};

/** Returns the remediation of a reason. */
export function remediationOf(reason: UnusableReason): string {
  return failures[reason][1];
}

/** Converts an UnusableDocument to the error of a call. `name` is the source as the caller wrote it. */
export function toContractError(unusable: UnusableDocument, name: string): ContractError {
  const { reason, message } = unusable;
  const [errorCode, remediation] = failures[reason];
  const source = toDisplayName(name);
  const why = message.replace(/^(It|Its|There|Only|The|A|What) /, (word) => word.toLowerCase());
  return new ContractError(`Cannot read ${JSON.stringify(source)}: ${why}`, {
    errorCode,
    remediation,
    details: { reason, source },
    cause: unusable,
  });
}

/** The maximum length of a displayed name, in code points. */
const maxNamePoints = 200;

/** Returns a name for messages. The name has no credentials, is on one line, and has a limited length. */
export function toDisplayName(name: string): string {
  // Credentials are removed first, because they might not be recognized in a truncated URL.
  const words = stripUserInfo(name.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  const points = Array.from(words.slice(0, 2 * maxNamePoints + 1));
  return points.length <= maxNamePoints ? words : `${points.slice(0, maxNamePoints - 1).join("")}…`;
}
