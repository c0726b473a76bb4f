import type { Envelope } from "@foundry-mcp/contract";
import { EventReader, type ReadEvent } from "../../packages/foundry/src/page/server/testing/read-events.ts";

/** A page that is open in a browser: it calls tools over `/api`, and reads the events. */
export interface PageClient {
  readonly url: string;
  call(tool: string, args: object): Promise<Envelope>;
  session(): Promise<Envelope>;
  /** Opens the stream of events, after the change with this id. */
  events(after?: string): Promise<PageEvents>;
}

/** The events of a page. Comments are left out. */
export interface PageEvents {
  next(): Promise<ReadEvent | undefined>;
  close(): Promise<void>;
}

/** Creates the page of a server at an origin such as `http://127.0.0.1:3117`. */
export function createPageClient(url: string, token?: string): PageClient {
  const headers: Record<string, string> = {
    "foundry-client": "foundry-page",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const read = async (response: Response) => (await response.json()) as Envelope;
  return {
    url,
    call: async (tool, args) =>
      read(
        await fetch(`${url}/api/tools/${tool}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json", origin: url },
          body: JSON.stringify(args),
        }),
      ),
    session: async () => read(await fetch(`${url}/page/session`, { headers })),
    async events(after) {
      const resume: Record<string, string> = after === undefined ? {} : { "last-event-id": after };
      const response = await fetch(`${url}/events`, { headers: { ...headers, ...resume } });
      if (response.status !== 200) throw new Error(`/events answered ${response.status}`);
      const reader = new EventReader(response);
      return {
        async next() {
          let event = await reader.next();
          while (event?.event === "comment") event = await reader.next();
          return event;
        },
        close: () => reader.close(),
      };
    },
  };
}
