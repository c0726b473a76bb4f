import { Worker } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, digestDocument } from "./digest-document.ts";
import { documentTypeOf } from "./document-types.ts";
import type { RawDocument } from "./read-document.ts";
import { runOnWorker } from "./run-on-worker.ts";

/** Digests documents without blocking the event loop. */
export interface DigestPool {
  digest(document: RawDocument, options: DigestOptions, signal: AbortSignal): Promise<DigestedDocument>;
  /** Terminates all workers. */
  close(): Promise<void>;
}

/** The limits of a pool. */
export interface DigestPoolOptions {
  /** The maximum number of workers. @default 2 */
  readonly size?: number;
  /**
   * The deadline of one document in milliseconds.
   * @default 120_000
   */
  readonly timeoutMs?: number;
  /**
   * The maximum memory of one document in megabytes.
   * @default 1_536
   */
  readonly megabytes?: number;
  /** The script of a worker. @default digest-worker.js in this folder */
  readonly program?: URL;
}

/**
 * The maximum size of a document that is digested on the main thread. For such a document, a transfer to a worker would
 * take longer.
 */
const maxInlineBytes = 64 * 2 ** 10;

/** Creates a pool of worker threads. The threads are started on demand and end with the process. */
export function createDigestPool({
  size = 2,
  timeoutMs = 120_000,
  megabytes = 1_536,
  program = new URL("./digest-worker.js", import.meta.url),
}: DigestPoolOptions = {}): DigestPool {
  const idle = new Set<Worker>();
  const busy = new Set<Worker>();
  /** Callbacks of calls that wait for a worker, in the order of arrival. */
  const waiting = new Set<() => void>();
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Output of libraries is discarded, because stdout belongs to the protocol.
      stdout: true,
      stderr: true,
    });
    // An error of an idle worker does not concern any call.
    worker.on("error", () => {});
    // An idle worker that exits leaves the pool, because it would never reply.
    worker.once("exit", () => idle.delete(worker));
    return worker;
  };
  /** Waits for a free worker. An aborted call leaves the queue. */
  const waitForSlot = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(wake);
        reject(signal.reason);
      };
      const wake = () => {
        waiting.delete(wake);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener("abort", leave, { once: true });
    });
  const acquire = async (signal: AbortSignal): Promise<Worker> => {
    while (busy.size >= size && !isClosed) await waitForSlot(signal);
    if (isClosed) throw new Error("The pool is closed");
    const [worker = start()] = idle;
    idle.delete(worker);
    busy.add(worker);
    worker.ref();
    return worker;
  };
  const release = (worker: Worker, isUsable: boolean): void => {
    busy.delete(worker);
    // A worker may exit in the same turn of the event loop in which its reply arrives, before it becomes idle.
    const hasExited = worker.threadId === -1;
    if (isUsable && !isClosed && !hasExited) {
      worker.unref();
      idle.add(worker);
    } else void worker.terminate();
    const [wake] = waiting;
    wake?.();
  };

  return {
    async digest(document, options, signal) {
      signal.throwIfAborted();
      if (document.bytes.length <= maxInlineBytes && documentTypeOf(document) !== "pdf")
        return digestDocument(document, options, signal);
      const worker = await acquire(signal);
      const { outcome, isUsable } = await runOnWorker(worker, document, options, {
        signal,
        timeoutMs,
        megabytes,
      });
      release(worker, isUsable);
      signal.throwIfAborted();
      return outcome();
    },
    async close() {
      isClosed = true;
      for (const wake of [...waiting]) wake();
      await Promise.all([...idle, ...busy].map((worker) => worker.terminate()));
    },
  };
}
