/** The options of a bounded stream. */
export interface BoundedStreamOptions {
  /**
   * The maximum number of bytes that are queued for a client that does not read. A single event may exceed
   * this maximum.
   */
  readonly maxQueuedBytes: number;
  /** Called once when the stream has ended, for any reason. */
  readonly onEnd: () => void;
}

/** A stream of events whose queue is bounded. */
export interface BoundedStream {
  readonly response: Response;
  /** Ends the stream; the client may open another stream. */
  close(): void;
}

/** True for a response that is a stream of events, and not a refusal. */
export function isEventStream({ body, headers }: Response): boolean {
  return body !== null && headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/**
 * Bounds the memory of a stream of events. The source enqueues events even if the client does not read, so the
 * queue could grow without limit. This function ends the stream when the queue is too long.
 */
export function boundStream(
  { body, status, headers }: Response,
  { maxQueuedBytes, onEnd }: BoundedStreamOptions,
): BoundedStream {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const end = once(onEnd);
  const close = (): void => void reader.cancel().catch(() => {});
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        void forward(reader, controller)
          .catch(() => {})
          .finally(end);
      },
      cancel() {
        close();
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxQueuedBytes }),
  );
  return { response: new Response(stream, { status, headers }), close };
}

/** Forwards chunks until the source ends or the queue exceeds its high-water mark. */
async function forward(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    controller.enqueue(value);
    if ((controller.desiredSize ?? 0) >= 0) continue;
    await reader.cancel();
    break;
  }
  controller.close();
}

function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (!hasRun) run();
    hasRun = true;
  };
}
