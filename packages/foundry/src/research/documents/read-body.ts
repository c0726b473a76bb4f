import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { tooLarge, UnusableDocument } from "./unusable-document.ts";

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a response body of limited size. Some servers compress the body although the request does not accept that.
 * The limit then applies to the decompressed bytes, so that a zip bomb is stopped.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") {
    if (Number(response.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
    return readAll(response, maxBytes);
  }
  const create = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (create === undefined)
    throw new UnusableDocument("unreachable", "Its server sends it in an encoding that nobody asked for");
  // An error anywhere in the pipeline destroys its last stream, which is the stream that is read here.
  return readAll(
    pipeline(response, create(), () => {}),
    maxBytes,
  );
}

async function readAll(body: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the stream and the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
