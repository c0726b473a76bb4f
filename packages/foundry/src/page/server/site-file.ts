import { createHash } from "node:crypto";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { isContractError } from "@foundry-mcp/contract";
import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { isMissing } from "@foundry-mcp/toolkit/files";

/** A built file of the page. */
export interface SiteFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The compressed bytes; undefined for a format that is compressed already. */
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
}

/** The media types of the files that a build of the page may contain. Other files are not served. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};
const compressed = new Set([".png", ".woff2"]);
const maxBytes = 8 * 1024 * 1024;

/** A name that cannot lead out of its folder: no separator, no leading dot, no other encoding of either. */
const nameForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Reads a file of the page; undefined if there is no such file. */
export async function readSiteFile(
  files: FileSystem,
  folder: string,
  name: string,
): Promise<SiteFile | undefined> {
  const type = types[extname(name)];
  if (type === undefined || !nameForm.test(name)) return undefined;
  try {
    const content = await files.readFile(join(folder, name), maxBytes);
    const bytes = new Uint8Array(content.bytes);
    return {
      type,
      bytes,
      etag: `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
      gzipped: compressed.has(extname(name)) ? undefined : new Uint8Array(await promisify(gzip)(bytes)),
    };
  } catch (thrown) {
    // A folder or a link is refused with a ContractError; neither is a file of the page.
    if (isMissing(thrown) || isContractError(thrown)) return undefined;
    throw thrown;
  }
}
