import type { Worker } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import type { DigestedDocument } from "./digest-document.ts";
import type { DigestReply } from "./digest-worker.ts";
import { ownBytes } from "./own-bytes.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** What a document may take. */
export interface ThreadLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly megabytes: number;
}

/** What came of a document on a thread. */
export interface ThreadResult {
  /** Gives what came of it, or throws. */
  readonly outcome: () => DigestedDocument;
  /** False for a thread that was stopped, or broke. */
  readonly isUsable: boolean;
}

/** How often it is looked how much memory there is left. */
const lookMs = 100;

/** Digests one document on one thread, which has nothing else to do; never rejects. */
export async function runOnThread(
  worker: Worker,
  document: RawDocument,
  options: DigestOptions,
  { signal, timeoutMs, megabytes }: ThreadLimits,
): Promise<ThreadResult> {
  // It may have been given up while it waited for the thread, which has nothing to do yet.
  if (signal.aborted) return { outcome: thrower(signal.reason), isUsable: true };
  const cleanUps: (() => void)[] = [];
  try {
    return await new Promise<ThreadResult>((resolve) => {
      const stop = (reason: unknown) => resolve({ outcome: thrower(reason), isUsable: false });
      const hear = <T>(event: string, tell: (told: T) => void) => {
        worker.once(event, tell);
        cleanUps.push(() => worker.off(event, tell));
      };
      hear("message", (reply: DigestReply) => resolve({ outcome: () => read(reply), isUsable: true }));
      hear("error", (err) => stop(toUnusable(err)));
      hear("exit", () => stop(new Error("The thread ended")));
      const onAbort = () => stop(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(
        () => stop(new UnusableDocument("too_slow", "Reading it takes too long")),
        timeoutMs,
      );
      const watch = watchMemory(megabytes, () => stop(tooMuch()));
      cleanUps.push(
        () => signal.removeEventListener("abort", onAbort),
        () => clearTimeout(timer),
        () => clearInterval(watch),
      );
      const bytes = ownBytes(document.bytes);
      worker.postMessage({ document: { ...document, bytes }, options }, [bytes.buffer]);
    });
  } catch (thrown) {
    return { outcome: thrower(thrown), isUsable: false };
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

/**
 * Tells when the process has grown by so much. The limits of a thread count its objects alone, and what decodes a
 * document keeps most of it elsewhere.
 */
function watchMemory(megabytes: number, tell: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > megabytes * 2 ** 20) tell();
  }, lookMs);
}

function read(reply: DigestReply): DigestedDocument {
  if ("digested" in reply) return reply.digested;
  throw new UnusableDocument(reply.reason, reply.message);
}

function thrower(reason: unknown): () => never {
  return () => {
    throw reason;
  };
}

function toUnusable(err: unknown): UnusableDocument {
  const isFull = (err as NodeJS.ErrnoException | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isFull ? tooMuch() : new UnusableDocument("broken", "It broke the program that reads it", err);
}

function tooMuch(): UnusableDocument {
  return new UnusableDocument("too_large", "Reading it takes more memory than one document may");
}
