import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractError, isContractError } from "@foundry-mcp/contract";
import { type ContentArchive, contentHashOf, createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DocumentSource } from "./load-document.ts";
import { createDocumentLoader, type LoaderOptions } from "./load-document.ts";
import { readDocument } from "./read-document.ts";
import { UnusableDocument } from "./unusable-document.ts";

let folder: string;
let archive: ContentArchive;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "find-"));
  archive = createMemoryArchive();
  await writeFile(join(folder, "a.md"), "# Text");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await archive.close();
});

const { signal } = new AbortController();
const find = (source: DocumentSource, own: Partial<LoaderOptions> = {}, principal = "me") =>
  createDocumentLoader({ folder, isConfined: true, archive, ...own })(source, principal, signal);

async function failureOf(source: DocumentSource, own: Partial<LoaderOptions> = {}, principal = "me") {
  const err = await find(source, own, principal).catch((thrown: unknown) => thrown);
  if (!(err instanceof UnusableDocument)) throw err;
  return [err.reason, err.message];
}

async function keep(text: string, contentIds: readonly string[] = []) {
  const bytes = Buffer.from(text);
  const hash = contentHashOf(bytes);
  return archive.put({ principal: "me", bytes, hash, tool: "research", requestId: "r", contentIds });
}

describe("createDocumentLoader", () => {
  test("loads files", async () => {
    expect(await find({ path: "a.md" })).toEqual({ bytes: Buffer.from("# Text"), name: "a.md" });
    expect(await find({ path: "a.md", content_type: "text/html" })).toEqual({
      bytes: Buffer.from("# Text"),
      name: "a.md",
      contentType: "text/html",
    });
    expect((await failureOf({ path: "../a.md" }))[0]).toBe("forbidden");
    expect((await failureOf({ path: "a.md" }, { maxBytes: 3 }))[0]).toBe("too_large");
  });

  test("loads web pages", async () => {
    const server = createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<p>Text"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.html`;
    expect(await find({ url }, { isAllowed: () => true })).toEqual({
      bytes: Buffer.from("<p>Text"),
      name: "/a.html",
      contentType: "text/html",
    });
    expect((await failureOf({ url }))[0]).toBe("forbidden");
    expect((await failureOf({ url }, { isAllowed: () => true, maxBytes: 3 }))[0]).toBe("too_large");
    await new Promise((resolve) => server.close(resolve));
  });

  test("loads literal texts as UTF-8, whatever charset they declare", async () => {
    const text = "<html><meta charset=windows-1251><p>Grüße</p>";
    const found = await find({ text });
    expect(found).toEqual({ bytes: Buffer.from(text), name: "text", charset: "utf-8" });
    expect((await readDocument(found)).text).toBe("Grüße");
    const said = await find({ text, content_type: "text/plain; charset=latin1" });
    expect(said).toEqual({ ...found, contentType: "text/plain; charset=latin1" });
    expect((await readDocument(said)).text).toBe(text);
    expect((await readDocument(await find({ text: "%PDF-1.7" }))).text).toBe("%PDF-1.7");
    expect((await find({ text: "" })).bytes.length).toBe(0);
    expect((await failureOf({ text: "üü" }, { maxBytes: 3 }))[0]).toBe("too_large");
    expect((await find({ text: "üü" }, { maxBytes: 4 })).bytes.length).toBe(4);
  });

  test("loads archived content by its hash and ids", async () => {
    const text = "<html> 1 < 2";
    const { hash, archiveId } = await keep(text, ["/output"]);
    for (const content_id of [hash, archiveId, "/output"])
      expect(await find({ content_id })).toEqual({
        bytes: new Uint8Array(Buffer.from(text)),
        name: content_id,
        contentType: "text/plain",
        charset: "utf-8",
      });
    expect((await readDocument(await find({ content_id: hash }))).text).toBe(text);
    expect((await readDocument(await find({ content_id: hash, content_type: "text/html" }))).text).toBe(
      "1 < 2",
    );
  });

  test("refuses content that is not archived, or belongs to another principal", async () => {
    const { hash } = await keep("text");
    const missing = ["not_found", "Nothing with this id is kept, or not any more"];
    for (const content_id of ["sha256:0", "arc_0", "x", ""])
      expect(await failureOf({ content_id })).toEqual(missing);
    expect(await failureOf({ content_id: hash }, {}, "someone else")).toEqual(missing);
    expect(await failureOf({ content_id: hash }, { archive: undefined })).toEqual([
      "not_found",
      "Nothing is stored here: there is no archive",
    ]);
    expect((await failureOf({ content_id: hash }, { maxBytes: 3 }))[0]).toBe("too_large");
  });

  test("reports archived content that has expired or is corrupt", async () => {
    const { hash } = await keep("text");
    const failing = (code: string, details: object): Partial<LoaderOptions> => ({
      archive: {
        ...archive,
        find: (...names) => archive.find(...names),
        read: () => Promise.reject(new ContractError("Cannot", { errorCode: code, details })),
      },
    });
    expect(await failureOf({ content_id: hash }, failing("CONTENT_NOT_FOUND", {}))).toEqual([
      "not_found",
      "Nothing with this id is kept any more",
    ]);
    expect(await failureOf({ content_id: hash }, failing("CONTENT_NOT_FOUND", { found_hash: "x" }))).toEqual([
      "broken",
      "The kept copy is damaged: its bytes have another hash",
    ]);
    await expect(find({ content_id: hash }, failing("UNAVAILABLE", {}))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });

  test.each<[string, DocumentSource, string, string]>([
    [
      "nothing",
      {},
      "none of them",
      'Say where the document is, such as source: {"path": "docs/notes.md"}; or url, text or content_id.',
    ],
    [
      "nothing but a type",
      { content_type: "text/html", path: undefined },
      "none of them",
      'Say where the document is, such as source: {"path": "docs/notes.md"}; or url, text or content_id.',
    ],
    [
      "two places",
      { path: "a", text: "" },
      "path and text",
      "Leave out all but one of path, text; call once for each document.",
    ],
  ])("requires exactly one location: %s", async (_, source, received, remediation) => {
    const err = await find(source).catch((thrown: unknown) => thrown);
    expect(isContractError(err)).toBe(true);
    const { message, options } = err as ContractError;
    expect({ message, ...options }).toEqual({
      message:
        "Validation failed: source must be an object with exactly one of path, url, text and content_id",
      errorCode: "VALIDATION_ERROR",
      remediation,
      details: {
        field: "source",
        constraint: "exactly_one",
        expected: "an object with exactly one of path, url, text and content_id",
        received,
      },
    });
  });

  test("requires a string", async () => {
    const err = await find({ path: 7 as unknown as string }).catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({
      code: "INVALID_FORMAT",
      message: "Validation failed: source.path must be a string",
    });
  });

  test("stops when aborted", async () => {
    const reason = new Error("enough");
    const finder = createDocumentLoader({ folder, isConfined: true });
    await expect(finder({ text: "x" }, "me", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
