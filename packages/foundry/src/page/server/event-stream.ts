import type { FeedEntry, Subscription } from "./change-feed.ts";

/** The maximum number of bytes that wait for a client that does not read. The client resumes when it reads again. */
const maxQueuedBytes = 256 * 1024;

/** The options of a stream of events. */
export interface EventStreamOptions {
  /** The identity of the feed, which the first event names. */
  readonly serverId: string;
  /** Subscribes the stream to the changes that it sends. */
  readonly subscribe: (listener: (entry: FeedEntry) => void) => Promise<Subscription>;
  readonly keepAliveMs: number;
  /** Returns the reason to end the stream; asked at every keep-alive. */
  readonly findEnd: () => string | undefined;
  /** Called once when the stream has ended, for any reason. */
  readonly onEnd: () => void;
}

/** A stream of server-sent events. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends the reason to the client, and ends the stream. */
  end(reason: string): void;
}

/** Opens a stream of the changes of specs, with `hello` as its first event. */
export async function openEventStream({
  serverId,
  subscribe,
  keepAliveMs,
  findEnd,
  onEnd,
}: EventStreamOptions): Promise<EventStream> {
  const encoder = new TextEncoder();
  let sendNow: ((text: string) => void) | undefined;
  const early: FeedEntry[] = [];
  let isEnded = false;
  const subscription = await subscribe((entry) => {
    if (sendNow === undefined) early.push(entry);
    else sendNow(toEvent("change", entry.change, entry.id));
  });
  let keepAlive: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(keepAlive);
    subscription.unsubscribe();
    onEnd();
  };
  let end = (_reason: string): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          stop();
          controller.close();
        };
        const send = (text: string) => {
          if (isEnded) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < 0) close();
        };
        end = (reason) => {
          if (isEnded) return;
          send(toEvent("closed", { reason }));
          if (!isEnded) close();
        };
        sendNow = send;
        send(
          toEvent("hello", { server_id: serverId, resumed: subscription.isResumed }, helloId(subscription)),
        );
        for (const { id, change } of [...subscription.missed, ...early.splice(0)])
          send(toEvent("change", change, id));
        keepAlive = setInterval(() => {
          const reason = findEnd();
          if (reason === undefined) send(": keep-alive\n\n");
          else end(reason);
        }, keepAliveMs);
        keepAlive.unref();
      },
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxQueuedBytes }),
  );
  return { body, end: (reason) => end(reason) };
}

/**
 * The id of `hello` is the position before the changes that follow it, so that a stream that breaks after `hello` is
 * resumed without loss.
 */
function helloId({ missed, position }: Subscription): string | undefined {
  return missed.length === 0 ? position : undefined;
}

function toEvent(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
