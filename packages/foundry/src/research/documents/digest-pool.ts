import { Worker } from "node:worker_threads";
import type { DigestOptions } from "../digest/digest-text.ts";
import { type DigestedDocument, digestDocument } from "./digest-document.ts";
import { documentTypeOf, type RawDocument } from "./read-document.ts";
import { runOnThread } from "./run-on-worker.ts";

/** Digests documents without holding up whoever else asks something of this process. */
export interface DigestPool {
  digest(document: RawDocument, options: DigestOptions, signal: AbortSignal): Promise<DigestedDocument>;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** How a pool works. */
export interface DigestPoolOptions {
  /** So many documents at once. @default 2 */
  readonly size?: number;
  /** How long one document may take. @default 120_000 */
  readonly timeoutMs?: number;
  /** As much memory as a document may take, whatever it is made of. @default 1_536 */
  readonly megabytes?: number;
  /** The program of a thread. @default the one beside this file */
  readonly program?: URL;
}

/** What is no larger is digested at once: that takes less time than handing it over. */
const mostHere = 64 * 2 ** 10;

/** Creates a pool of threads, which are started by need and end with the process. */
export function createDigestPool({
  size = 2,
  timeoutMs = 120_000,
  megabytes = 1_536,
  program = new URL("./digest-worker.js", import.meta.url),
}: DigestPoolOptions = {}): DigestPool {
  const idle = new Set<Worker>();
  const busy = new Set<Worker>();
  /** Who waits for a thread, in their order. */
  const waiting = new Set<() => void>();
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // What a library writes is for nobody: the answer alone is on stdout.
      stdout: true,
      stderr: true,
    });
    worker.on("error", ignore);
    // One that ended while it had nothing to do would never answer.
    worker.once("exit", () => idle.delete(worker));
    return worker;
  };
  /** Who gives up leaves the queue: the turn is for somebody who still waits. */
  const waitForTurn = (signal: AbortSignal): Promise<void> =>
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
  const wakeNext = (): void => {
    const [wake] = waiting;
    wake?.();
  };
  const take = async (signal: AbortSignal): Promise<Worker> => {
    while (busy.size >= size && !isClosed) await waitForTurn(signal);
    if (isClosed) throw closed();
    const [worker = start()] = idle;
    idle.delete(worker);
    busy.add(worker);
    worker.ref();
    return worker;
  };
  const giveBack = (worker: Worker, isUsable: boolean): void => {
    busy.delete(worker);
    if (isUsable && !isClosed) {
      worker.unref();
      idle.add(worker);
    } else void worker.terminate();
    wakeNext();
  };

  return {
    async digest(document, options, signal) {
      signal.throwIfAborted();
      if (document.bytes.length <= mostHere && documentTypeOf(document) !== "pdf")
        return digestDocument(document, options, signal);
      const worker = await take(signal);
      const { outcome, isUsable } = await runOnThread(worker, document, options, {
        signal,
        timeoutMs,
        megabytes,
      });
      giveBack(worker, isUsable);
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

function closed(): Error {
  return new Error("The pool is closed");
}

/** A thread that fails while nobody waits for it is nobody's failure. */
function ignore(): void {}
