import { parentPort } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, digestDocument, toTransferable } from "./digest-document.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument, type UnusableReason } from "./unusable-document.ts";

/** The message to a worker. */
export interface WorkerRequest {
  readonly document: RawDocument;
  readonly options: DigestOptions;
}

/**
 * The reply of a worker. An UnusableDocument is sent as its fields, because structured clone does not preserve its
 * class.
 */
export type WorkerReply =
  | { readonly digested: DigestedDocument }
  | { readonly reason: UnusableReason; readonly message: string };

parentPort?.on("message", ({ document, options }: WorkerRequest) => {
  void digestDocument(document, options).then(
    (digested) => {
      const text = toTransferable(digested.text);
      parentPort?.postMessage({ digested: { ...digested, text } } satisfies WorkerReply, [text.buffer]);
    },
    (err: unknown) => {
      if (!(err instanceof UnusableDocument)) throw err;
      parentPort?.postMessage({ reason: err.reason, message: err.message } satisfies WorkerReply);
    },
  );
});
