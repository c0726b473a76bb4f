import { createShares, type Holding } from "@foundry-mcp/toolkit";
import type { HttpRoute } from "@foundry-mcp/toolkit/http";
import type { ChangeFeed } from "./change-feed.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";

/** The limits of the streams of one server. */
export interface EventLimits {
  /** The maximum number of streams of one principal. @default 32 */
  readonly streamsOfPrincipal?: number | undefined;
  /** The maximum number of streams of all principals. @default 1,000 */
  readonly streams?: number | undefined;
  /** The time in milliseconds between two comments that keep a connection open. @default 15,000 */
  readonly keepAliveMs?: number | undefined;
}

/** The route of the events, and the function that ends all its streams. */
export interface EventsRoute {
  readonly route: HttpRoute;
  close(): void;
}

/** Creates the route `/events`, a stream of the changes of all specs. */
export function createEventsRoute(
  feed: ChangeFeed,
  { streamsOfPrincipal = 32, streams: limit = 1_000, keepAliveMs = 15_000 }: EventLimits = {},
): EventsRoute {
  const shares = createShares<Holding>({ limit, limitOfOwner: streamsOfPrincipal });
  const open = new Set<EventStream>();
  const route: HttpRoute = {
    name: "events",
    path: "/events",
    async handle(request, { principal, recheck, fail }) {
      // An answer to HEAD has no body, so nobody would end its stream.
      if (request.method !== "GET") return new Response(null, { headers: streamHeaders });
      const after = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after");
      try {
        const holding: Holding = { owner: principal?.id ?? "local", giveWay: () => stream.end(another) };
        const stream = await openEventStream({
          serverId: feed.id,
          subscribe: (listener) => feed.subscribe(after ?? undefined, listener),
          keepAliveMs,
          findEnd: () => recheck()?.message,
          onEnd: () => {
            shares.delete(holding);
            open.delete(stream);
          },
        });
        open.add(stream);
        shares.add(holding);
        return new Response(stream.body, { headers: streamHeaders });
      } catch (thrown) {
        return fail(thrown);
      }
    },
  };
  return {
    route,
    close() {
      for (const stream of open) stream.end("The server is shutting down");
    },
  };
}

const another = "Another stream of this principal was opened";

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy must neither store nor collect the events.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};
