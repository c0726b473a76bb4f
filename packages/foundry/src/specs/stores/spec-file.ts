import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { JsonSyntaxError } from "../../files/json-text/json-syntax-error.ts";
import { scanJson } from "../../files/json-text/scan-json.ts";
import type { JsonIndex } from "../../files/json-text/spans.ts";
import { SpecModel } from "../model/spec-model.ts";
import { maxBytes, maxNodes } from "../model/text-limits.ts";

/** The content of a spec file, and what is known of it. */
export class SpecFile {
  readonly bytes: Buffer;
  readonly model: SpecModel;
  #index: JsonIndex | undefined;
  #hash: string | undefined;

  constructor(bytes: Buffer, model: SpecModel, known: { index?: JsonIndex; hash?: string } = {}) {
    this.bytes = bytes;
    this.model = model;
    this.#index = known.index;
    this.#hash = known.hash;
  }

  /** Where things stand in the text; found out when it is first changed. */
  get index(): JsonIndex {
    this.#index ??= scanJson(this.bytes);
    return this.#index;
  }

  /** The first digits of the content's SHA-256. */
  get hash(): string {
    this.#hash ??= hashOf([this.bytes]);
    return this.#hash;
  }
}

/** Where things stand in the text of a spec; what can be read but not edited, such as lists within lists a thousand deep, is refused. */
export function requireIndex(file: SpecFile, path: string): JsonIndex {
  try {
    return file.index;
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    throw badJson(file.bytes, path);
  }
}

/** The first digits of the SHA-256 of some bytes. */
export function hashOf(chunks: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex").slice(0, 8);
}

/** Reads the content of a spec file; `path` names it where it is none. */
export function parseSpecFile(bytes: Buffer, path: string): SpecFile {
  requireSize(bytes.length, path);
  const document = parseDocument(bytes, path);
  const { hierarchy } = document;
  if (!isRecord(hierarchy)) throw noSpec(path, "it has no object called hierarchy");
  const nodes = Object.keys(hierarchy).length;
  if (nodes > maxNodes) throw tooLarge(path, `it has ${nodes.toLocaleString("en")} nodes`);
  return new SpecFile(bytes, new SpecModel(document));
}

/** Refuses a spec that would be too large. */
export function requireSize(size: number, path: string): void {
  if (size > maxBytes) throw tooLarge(path, `it has ${size.toLocaleString("en")} bytes`);
}

function parseDocument(bytes: Buffer, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Most specs are ASCII, and the quickest to read are those that are read as such.
    value = JSON.parse(isAscii(bytes) ? bytes.toString("latin1") : decoder.decode(bytes));
  } catch {
    throw badJson(bytes, path);
  }
  if (!isRecord(value))
    throw noSpec(path, `its JSON is ${Array.isArray(value) ? "a list" : typeof value}, not an object`);
  return value;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** JSON.parse says that something is wrong; the scanner says where. */
function badJson(bytes: Buffer, path: string): ContractError {
  let line = 1;
  let column = 1;
  let why = "it is no JSON";
  try {
    scanJson(bytes);
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    ({ line, column } = thrown);
    why = `line ${line}, column ${column}: ${thrown.message}`;
  }
  return new ContractError(`Cannot read the spec "${path}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Mend line ${line} of ${path}, or bring back an older version of the file.`,
    details: { path, line, column },
  });
}

function noSpec(path: string, why: string): ContractError {
  return new ContractError(`Cannot read the spec "${path}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Make ${path} a spec, or move it out of the folder.`,
    details: { path },
  });
}

function tooLarge(path: string, why: string): ContractError {
  return new ContractError(`Cannot use the spec "${path}": ${why}`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: `Divide the spec: it may have ${maxNodes.toLocaleString("en")} nodes and ${maxBytes / 2 ** 20} MiB.`,
    details: { path, max_nodes: maxNodes, max_bytes: maxBytes },
  });
}
