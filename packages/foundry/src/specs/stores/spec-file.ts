import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { JsonSyntaxError } from "../../files/json-text/json-syntax-error.ts";
import { scanJson } from "../../files/json-text/scan-json.ts";
import type { JsonIndex } from "../../files/json-text/spans.ts";
import { SpecModel } from "../model/spec-model.ts";
import { maxBytes, maxNodes } from "../model/text-limits.ts";

/** The text of a spec with its parsed model; index and hash are computed on demand. */
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

  /** The byte offsets of the text, computed for the first change. */
  get index(): JsonIndex {
    this.#index ??= scanJson(this.bytes);
    return this.#index;
  }

  /** The first eight hex digits of the text's SHA-256. */
  get hash(): string {
    this.#hash ??= hashOf([this.bytes]);
    return this.#hash;
  }
}

/** The index of a spec's text. Fails for a text that JSON.parse accepts but the scanner does not, such as one nested too deeply. */
export function requireIndex(file: SpecFile, path: string): JsonIndex {
  try {
    return file.index;
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    throw badJson(file.bytes, path);
  }
}

/** The first eight hex digits of the SHA-256 of a text. */
export function hashOf(chunks: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex").slice(0, 8);
}

/** Parses a spec file; `path` names it in errors. */
export function parseSpecFile(bytes: Buffer, path: string): SpecFile {
  requireSize(bytes.length, path);
  const document = parseDocument(bytes, path);
  const { hierarchy } = document;
  if (!isRecord(hierarchy)) throw notASpec(path, "it has no object called hierarchy");
  const nodes = Object.keys(hierarchy).length;
  if (nodes > maxNodes) throw tooLarge(path, `it has ${nodes.toLocaleString("en")} nodes`);
  return new SpecFile(bytes, new SpecModel(document));
}

/** Fails if a spec is too large. */
export function requireSize(size: number, path: string): void {
  if (size > maxBytes) throw tooLarge(path, `it has ${size.toLocaleString("en")} bytes`);
}

function parseDocument(bytes: Buffer, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Most specs are ASCII, which decodes fastest as latin1.
    value = parseJsonText(isAscii(bytes) ? bytes.toString("latin1") : decoder.decode(bytes));
  } catch {
    throw badJson(bytes, path);
  }
  if (!isRecord(value))
    throw notASpec(path, `its JSON is ${Array.isArray(value) ? "a list" : typeof value}, not an object`);
  return value;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The error for invalid JSON; the scanner finds the position, which JSON.parse does not report. */
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

function notASpec(path: string, why: string): ContractError {
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
