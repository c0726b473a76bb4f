import { parentPort } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, digestDocument } from "./digest-document.ts";
import { ownBytes } from "./own-bytes.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument, type UnusableReason } from "./unusable-document.ts";

/** What a thread is asked. */
export interface DigestRequest {
  readonly document: RawDocument;
  readonly options: DigestOptions;
}

/** What a thread answers; errors do not travel well, so it tells what is in them. */
export type DigestReply =
  | { readonly digested: DigestedDocument }
  | { readonly reason: UnusableReason; readonly message: string };

parentPort?.on("message", ({ document, options }: DigestRequest) => {
  void digestDocument(document, options).then(
    (digested) => {
      const text = ownBytes(digested.text);
      parentPort?.postMessage({ digested: { ...digested, text } } satisfies DigestReply, [text.buffer]);
    },
    (err: unknown) => {
      if (!(err instanceof UnusableDocument)) throw err;
      parentPort?.postMessage({ reason: err.reason, message: err.message } satisfies DigestReply);
    },
  );
});
