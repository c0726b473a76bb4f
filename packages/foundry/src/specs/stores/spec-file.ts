import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { findOverflow } from "../../files/json-text/find-overflow.ts";
import { JsonSyntaxError, toSyntaxError } from "../../files/json-text/json-syntax-error.ts";
import { scanJson } from "../../files/json-text/scan-json.ts";
import type { JsonIndex } from "../../files/json-text/spans.ts";
import { dependencyFields } from "../model/known-values.ts";
import { findMarkers } from "../model/merge/conflict-markers.ts";
import { SpecModel } from "../model/spec-model.ts";
import { maxBytes, maxLinks, maxNodes } from "../model/text-limits.ts";

/** The text of a spec, and its parsed model. The index and the hash are computed on demand. */
export class SpecFile {
  readonly bytes: Buffer;
  readonly model: SpecModel;
  #index: JsonIndex | undefined;
  #hash: string | undefined;
  #digest: string | undefined;

  constructor(
    bytes: Buffer,
    model: SpecModel,
    known: { index?: JsonIndex; hash?: string; digest?: string | undefined } = {},
  ) {
    this.bytes = bytes;
    this.model = model;
    this.#index = known.index;
    this.#hash = known.hash;
    this.#digest = known.digest;
  }

  /** The index of the byte offsets in the text. The index is computed for the first change. */
  get index(): JsonIndex {
    this.#index ??= scanJson(this.bytes);
    return this.#index;
  }

  /** The first eight hexadecimal digits of the SHA-256 hash of the text. */
  get hash(): string {
    this.#hash ??= this.digest.slice(0, hashLength);
    return this.#hash;
  }

  /** The SHA-256 hash of the text in hexadecimal digits. */
  get digest(): string {
    this.#digest ??= digestOf([this.bytes]);
    return this.#digest;
  }
}

/**
 * Returns the index of the text of a spec. Fails for a text that JSON.parse accepts but the scanner refuses,
 * such as a text that is nested too deeply.
 */
export function requireIndex(file: SpecFile, path: string): JsonIndex {
  try {
    return file.index;
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    throw badJson(file.bytes, path);
  }
}

/** Returns the first eight hexadecimal digits of the SHA-256 hash of a text. */
export function hashOf(chunks: readonly Uint8Array[]): string {
  return digestOf(chunks).slice(0, hashLength);
}

/** Returns the SHA-256 hash of a text in hexadecimal digits. */
export function digestOf(chunks: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** The number of digits of the hash in a revision. */
const hashLength = 8;

/** Parses a spec file. `path` is the path of the file in error messages. */
export function parseSpecFile(bytes: Buffer, path: string): SpecFile {
  requireSize(bytes.length, path);
  return new SpecFile(bytes, toModel(parseDocument(bytes, path), path));
}

/**
 * Parses the text of a spec that was stored as text. This is faster than parsing its bytes, which would have to be
 * encoded and decoded again.
 */
export function parseSpecText(text: string, path: string): SpecModel {
  let value: unknown;
  try {
    value = parseJsonText(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    throw badJson(Buffer.from(text), path);
  }
  requireFinite(text, path);
  return toModel(requireDocument(value, path), path);
}

function toModel(document: Readonly<Record<string, unknown>>, path: string): SpecModel {
  const { hierarchy } = document;
  if (!isRecord(hierarchy)) throw notASpec(path, "it has no object called hierarchy");
  const nodes = Object.keys(hierarchy).length;
  if (nodes > maxNodes) throw tooLarge(path, `it has ${nodes.toLocaleString("en")} nodes`);
  requireFewIds(hierarchy, path);
  return new SpecModel(document, undefined, specNameOf(path));
}

/**
 * Throws if the nodes list too many ids. A file of a few nodes may list millions of ids that do not exist, and each of
 * them would become a diagnostic of a validation.
 */
function requireFewIds(hierarchy: Readonly<Record<string, unknown>>, path: string): void {
  let children = 0;
  let links = 0;
  for (const node of Object.values(hierarchy)) {
    if (!isRecord(node)) continue;
    children += lengthOf(node["children"]);
    const { dependencies } = node;
    if (isRecord(dependencies)) for (const field of dependencyFields) links += lengthOf(dependencies[field]);
  }
  // Every node is the child of at most one other node.
  if (children > maxNodes)
    throw tooLarge(path, `its lists of children have ${children.toLocaleString("en")} ids`);
  if (links > maxLinks)
    throw tooLarge(path, `its lists of dependencies have ${links.toLocaleString("en")} ids`);
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the id of the spec that a path names; undefined for a text that is not stored under such a path. */
export function specNameOf(path: string): string | undefined {
  return path.endsWith(".json") ? basename(path, ".json") : undefined;
}

/**
 * True for the error of a file that cannot be parsed and may be incomplete. False if waiting would not help.
 */
export function mayBeHalfWritten({ code, options }: ContractError): boolean {
  const { reason } = (options.details ?? {}) as { readonly reason?: unknown };
  return code === "INVALID_FORMAT" && reason !== conflict;
}

/** Throws if a spec is too large. */
export function requireSize(size: number, path: string): void {
  if (size > maxBytes) throw tooLarge(path, `it has ${size.toLocaleString("en")} bytes`);
}

function parseDocument(bytes: Buffer, path: string): Readonly<Record<string, unknown>> {
  let text: string;
  let value: unknown;
  try {
    // Most specs are ASCII, and latin1 is the fastest way to decode ASCII.
    text = isAscii(bytes) ? bytes.toString("latin1") : decoder.decode(bytes);
    value = parseJsonText(text);
  } catch {
    throw badJson(bytes, path);
  }
  requireFinite(text, path);
  return requireDocument(value, path);
}

/**
 * Throws for a number that JSON.parse converts to Infinity. No answer could contain such a number, so the file is
 * refused, with the position of the number, when it is read.
 */
function requireFinite(text: string, path: string): void {
  const offset = findOverflow(text);
  if (offset === undefined) return;
  const why = "A number is too large: its absolute value is more than 1.7e308";
  const before = Buffer.byteLength(text.slice(0, offset));
  throw syntaxFailure(path, toSyntaxError(Buffer.from(text), before, why));
}

function requireDocument(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw notASpec(path, `its JSON is ${Array.isArray(value) ? "a list" : typeof value}, not an object`);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The error for invalid JSON. The scanner finds the position of the error, which JSON.parse does not report.
 */
function badJson(bytes: Buffer, path: string): ContractError {
  const markers = findMarkers(bytes.toString("latin1"));
  if (markers.length > 0) return unmerged(path, markers);
  try {
    scanJson(bytes);
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    return syntaxFailure(path, thrown);
  }
  return syntaxFailure(path, new JsonSyntaxError("it is no JSON", 1, 1));
}

function syntaxFailure(path: string, { line, column, message }: JsonSyntaxError): ContractError {
  return new ContractError(`Cannot read the spec "${path}": line ${line}, column ${column}: ${message}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Fix line ${line} of ${path}; or choose a stored revision, to which a rollback restores the file: {1}.`,
    remedy: { tool: "spec", action: "history", arguments: { spec_id: basename(path, ".json") } },
    details: { path, line, column },
  });
}

const conflict = "merge_conflict";

/** The error for a file in which a merge left conflict markers. */
function unmerged(path: string, markers: readonly number[]): ContractError {
  const listed = markers.slice(0, 20).join(", ");
  const more = markers.length > 20 ? ` and ${markers.length - 20} more` : "";
  return new ContractError(
    `Cannot read the spec "${path}": a merge left conflict markers on lines ${listed}${more}`,
    {
      errorCode: "INVALID_FORMAT",
      remediation: `Edit ${path}: keep one side of each conflict, and remove the marker lines.`,
      details: { path, reason: conflict, lines: markers.slice(0, 100), line: markers[0] ?? 1, column: 1 },
    },
  );
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
    remediation: `Split the spec: it may have ${maxNodes.toLocaleString("en")} nodes, as many ids of children, ${maxLinks.toLocaleString("en")} ids of dependencies, and ${maxBytes / 2 ** 20} MiB.`,
    details: { path, max_nodes: maxNodes, max_links: maxLinks, max_bytes: maxBytes },
  });
}
