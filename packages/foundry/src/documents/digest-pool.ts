import { Worker } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, digestDocument } from "./digest-document.ts";
import type { DigestReply } from "./digest-worker.ts";
import { ownBytes } from "./own-bytes.ts";
import { documentTypeOf, type FoundDocument } from "./read-document.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** Digests documents without holding up whoever else asks something of this process. */
export interface DigestPool {
  digest(document: FoundDocument, options: DigestOptions, signal: AbortSignal): Promise<DigestedDocument>;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** How a pool works. */
export interface DigestPoolOptions {
  /** So many documents at once. @default 2 */
  readonly size?: number;
  /** How long one document may take. @default 120_000 */
  readonly timeoutMs?: number;
  /** The program of a thread. @default the one beside this file */
  readonly program?: URL;
}

/** What is no larger is digested at once: that takes less time than handing it over. */
const mostHere = 64 * 2 ** 10;
/** As much as a thread may take beside the bytes that it is given; a document may be made to need any amount. */
const mostMegabytes = 2_048;

/** Creates a pool of threads, which are started by need and end with the process. */
export function createDigestPool({
  size = 2,
  timeoutMs = 120_000,
  program = new URL("./digest-worker.js", import.meta.url),
}: DigestPoolOptions = {}): DigestPool {
  const idle: Worker[] = [];
  const busy = new Set<Worker>();
  const waiting: (() => void)[] = [];

  const take = async (signal: AbortSignal): Promise<Worker> => {
    while (busy.size >= size) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
    const worker = idle.pop() ?? start(program);
    busy.add(worker);
    worker.ref();
    return worker;
  };
  const giveBack = (worker: Worker, isUsable: boolean): void => {
    busy.delete(worker);
    if (isUsable) {
      worker.unref();
      idle.push(worker);
    } else void worker.terminate();
    waiting.shift()?.();
  };

  return {
    async digest(document, options, signal) {
      signal.throwIfAborted();
      if (document.bytes.length <= mostHere && documentTypeOf(document) !== "pdf")
        return digestDocument(document, options, signal);
      const worker = await take(signal);
      const { reply, isUsable } = await run(worker, document, options, signal, timeoutMs);
      giveBack(worker, isUsable);
      return toDigested(reply, signal);
    },
    async close() {
      await Promise.all([...idle.splice(0), ...busy].map((worker) => worker.terminate()));
    },
  };
}

function start(program: URL): Worker {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    // What a library writes is for nobody: the answer alone is on stdout.
    stdout: true,
    stderr: true,
  });
  worker.on("error", ignore);
  return worker;
}

/** A thread that fails while nobody waits for it is nobody's failure. */
function ignore(): void {}

type Outcome = DigestReply | { readonly unusable: UnusableDocument } | { readonly thrown: unknown };

/** One document on one thread; a thread that was stopped cannot be used again. */
async function run(
  worker: Worker,
  document: FoundDocument,
  options: DigestOptions,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<{ readonly reply: Outcome; readonly isUsable: boolean }> {
  const ends = new AbortController();
  const bytes = ownBytes(document.bytes);
  try {
    return await new Promise((resolve) => {
      const stop = (reply: Outcome) => resolve({ reply, isUsable: false });
      const hear = <T>(event: string, tell: (told: T) => void) => {
        worker.once(event, tell);
        ends.signal.addEventListener("abort", () => worker.off(event, tell));
      };
      hear("message", (reply: DigestReply) => resolve({ reply, isUsable: true }));
      hear("error", (err) => stop({ unusable: toUnusable(err) }));
      hear("exit", () => stop({ thrown: new Error("The thread ended") }));
      signal.addEventListener("abort", () => stop({ thrown: signal.reason }), { signal: ends.signal });
      const timer = setTimeout(
        () => stop({ unusable: new UnusableDocument("too_slow", "Reading it takes too long") }),
        timeoutMs,
      );
      ends.signal.addEventListener("abort", () => clearTimeout(timer));
      worker.postMessage({ document: { ...document, bytes }, options }, [bytes.buffer]);
    });
  } finally {
    ends.abort();
  }
}

function toUnusable(err: unknown): UnusableDocument {
  const isFull = (err as NodeJS.ErrnoException | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isFull
    ? new UnusableDocument("too_large", "Reading it takes more memory than one document may")
    : new UnusableDocument("broken", "It broke the program that reads it", err);
}

function toDigested(reply: Outcome, signal: AbortSignal): DigestedDocument {
  if ("digested" in reply) return reply.digested;
  signal.throwIfAborted();
  if ("unusable" in reply) throw reply.unusable;
  if ("thrown" in reply) throw reply.thrown;
  throw new UnusableDocument(reply.reason, reply.message);
}
