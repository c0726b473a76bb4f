import type { Worker } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, toTransferable } from "./digest-document.ts";
import type { WorkerReply } from "./digest-worker.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** The limits of one document. */
export interface WorkerLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly megabytes: number;
}

/** The result of a document on a worker. */
export interface WorkerResult {
  /** Returns the digested document, or throws the error. */
  readonly outcome: () => DigestedDocument;
  /** False if the worker was stopped or has crashed. */
  readonly isUsable: boolean;
}

const memoryCheckMs = 100;

/** Digests a document on an idle worker. The returned promise never rejects. */
export async function runOnWorker(
  worker: Worker,
  document: RawDocument,
  options: DigestOptions,
  { signal, timeoutMs, megabytes }: WorkerLimits,
): Promise<WorkerResult> {
  // The call may have been aborted while it waited for the worker. In this case, the worker is still idle.
  if (signal.aborted) return { outcome: thrower(signal.reason), isUsable: true };
  const cleanUps: (() => void)[] = [];
  try {
    return await new Promise<WorkerResult>((resolve) => {
      const stop = (reason: unknown) => resolve({ outcome: thrower(reason), isUsable: false });
      const listen = <T>(event: string, listener: (value: T) => void) => {
        worker.once(event, listener);
        cleanUps.push(() => worker.off(event, listener));
      };
      listen("message", (reply: WorkerReply) => resolve({ outcome: () => readReply(reply), isUsable: true }));
      listen("error", (err) => stop(fromWorkerError(err)));
      listen("exit", () => stop(new Error("The thread ended")));
      const onAbort = () => stop(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(
        () => stop(new UnusableDocument("too_slow", "Reading it takes too long")),
        timeoutMs,
      );
      const memoryCheck = watchMemory(megabytes, () => stop(tooMuchMemory()));
      cleanUps.push(
        () => signal.removeEventListener("abort", onAbort),
        () => clearTimeout(timer),
        () => clearInterval(memoryCheck),
      );
      const bytes = toTransferable(document.bytes);
      worker.postMessage({ document: { ...document, bytes }, options }, [bytes.buffer]);
    });
  } catch (thrown) {
    return { outcome: thrower(thrown), isUsable: false };
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

/**
 * Calls `onExceeded` when the resident memory of the process has grown by this many megabytes. The resource limits of a
 * worker count only its JavaScript heap, but decoders allocate most of their memory elsewhere.
 */
function watchMemory(megabytes: number, onExceeded: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > megabytes * 2 ** 20) onExceeded();
  }, memoryCheckMs);
}

function readReply(reply: WorkerReply): DigestedDocument {
  if ("digested" in reply) return reply.digested;
  throw new UnusableDocument(reply.reason, reply.message);
}

function thrower(reason: unknown): () => never {
  return () => {
    throw reason;
  };
}

function fromWorkerError(err: unknown): UnusableDocument {
  const isOutOfMemory = (err as NodeJS.ErrnoException | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isOutOfMemory
    ? tooMuchMemory()
    : new UnusableDocument("broken", "It broke the program that reads it", err);
}

function tooMuchMemory(): UnusableDocument {
  return new UnusableDocument("too_large", "Reading it takes more memory than one document may");
}
