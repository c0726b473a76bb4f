import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { tooLarge } from "./most-bytes.ts";
import { UnusableDocument } from "./unusable-document.ts";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The body of an answer, of so many bytes at most. Nobody asks for a compressed one, and some servers send it all the
 * same: then it is its bytes after that which are counted, and it is given up as soon as they are too many.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") {
    if (Number(response.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
    return gather(response, maxBytes);
  }
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (create === undefined)
    throw new UnusableDocument("unreachable", "Its server sends it in an encoding that nobody asked for");
  // What fails is told by the last of them, which is read.
  return gather(
    pipeline(response, create(), () => {}),
    maxBytes,
  );
}

async function gather(body: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Whatever ends this loop early destroys what is read, and the connection with it.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
