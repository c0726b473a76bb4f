import { createRegistry } from "@foundry-mcp/toolkit";
import { createHttpApp, type HttpApp, type TokenGrant } from "@foundry-mcp/toolkit/http";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { ChangeFeed } from "./change-feed.ts";
import { createEventsRoute, type EventLimits } from "./events-route.ts";
import { FakeSource } from "./testing/fake-source.ts";
import { EventReader } from "./testing/read-events.ts";

const tokenOf = (name: string) => `token-of-${name}-0123456789`;
const ann: TokenGrant = { principal: "ann", token: tokenOf("ann") };
const bob: TokenGrant = { principal: "bob", token: tokenOf("bob") };

let app: HttpApp;
let feed: ChangeFeed;
afterEach(() => app.close());

/** Opens an app whose only additional route is the route of the events. */
function open(limits: EventLimits = {}, tokens?: readonly TokenGrant[]): FakeSource {
  const source = new FakeSource();
  feed = new ChangeFeed({ open: async () => source });
  const { route, close } = createEventsRoute(feed, limits);
  app = createHttpApp(createRegistry({ name: "s", version: "1.0.0" }), {
    logger: pino({ level: "silent" }),
    routes: {
      routes: [route],
      close: async () => {
        close();
        await feed.close();
      },
    },
    ...(tokens && { tokens }),
  });
  return source;
}

const request = async (headers: Record<string, string> = {}, path = "/events", method = "GET") =>
  app.fetch(new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }));
const as = ({ token = "" }: TokenGrant) => ({ authorization: `Bearer ${token}` });
const read = async (headers?: Record<string, string>, path?: string) =>
  new EventReader(await request(headers, path));
const changeOf = (spec_id: string, revision: string, number: number) => ({
  event: "change",
  id: `${feed.id}.${number}`,
  data: { kind: "spec", spec_id, revision, folder: "active" },
});
const hello = (resumed: boolean, number?: number) => ({
  event: "hello",
  ...(number !== undefined && { id: `${feed.id}.${number}` }),
  data: { server_id: feed.id, resumed },
});
const closed = (reason: string) => ({ event: "closed", data: { reason } });

describe("GET /events", () => {
  it("streams the changes to every client, uncached and as they happen", async () => {
    const source = open();
    const response = await request();
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      200,
      {
        "cache-control": "no-store, no-transform",
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
      },
    ]);
    const [one, other] = [new EventReader(response), await read()];
    for (const stream of [one, other]) expect(await stream.next()).toEqual(hello(false, 0));
    source.change("a", "1-x");
    for (const stream of [one, other]) expect(await stream.next()).toEqual(changeOf("a", "1-x", 1));
  });

  it.each<[string, (id: string) => Parameters<typeof read>]>([
    ["the header Last-Event-ID", (id) => [{ "last-event-id": id }, "/events"]],
    ["the parameter after", (id) => [{}, `/events?after=${id}`]],
  ])("resumes with %s, without loss or repeat", async (_title, toRequest) => {
    const source = open();
    const first = await read();
    await first.next();
    source.change("a", "1-x");
    const seen = await first.next();
    await first.close();
    const second = await read();
    await second.next();
    source.change("b", "1-y");
    source.change("c", "1-z");
    await second.take(2);
    const again = await read(...toRequest(seen?.id ?? ""));
    expect(await again.take(3)).toEqual([hello(true), changeOf("b", "1-y", 2), changeOf("c", "1-z", 3)]);
    source.change("d", "1-w");
    expect(await again.next()).toEqual(changeOf("d", "1-w", 4));
    const current = await read(...toRequest(`${feed.id}.4`));
    expect(await current.next()).toEqual(hello(true, 4));
  });

  it("does not resume with an id of an earlier server", async () => {
    open();
    expect(await (await read({ "last-event-id": "AAAAAAAAAAAA.3" })).next()).toEqual(hello(false, 0));
    // Some clients send an empty header.
    expect(await (await read({ "last-event-id": "" })).next()).toEqual(hello(false, 0));
  });

  it("is bounded for each principal: the oldest stream gives way, and others keep theirs", async () => {
    const source = open({ streamsOfPrincipal: 2 }, [ann, bob]);
    const streams = [await read(as(ann)), await read(as(bob)), await read(as(ann)), await read(as(ann))];
    for (const stream of streams) expect(await stream.next()).toEqual(hello(false, 0));
    const [first, ofBob, second, third] = streams as [EventReader, EventReader, EventReader, EventReader];
    expect(await first.take(2)).toEqual([closed("Another stream of this principal was opened"), undefined]);
    source.change("a", "1-x");
    for (const stream of [ofBob, second, third]) expect(await stream.next()).toEqual(changeOf("a", "1-x", 1));
    // A stream that its client closed makes room.
    await second.close();
    const fourth = await read(as(ann));
    await fourth.next();
    source.change("a", "2-x");
    for (const stream of [third, fourth]) expect(await stream.next()).toEqual(changeOf("a", "2-x", 2));
  });

  it("is bounded for all principals together, at the cost of the one with the most streams", async () => {
    open({ streams: 3 }, [ann, bob]);
    const first = await read(as(ann));
    for (const grant of [ann, ann, bob]) await (await read(as(grant))).next();
    expect(await first.take(3)).toEqual([
      hello(false, 0),
      closed("Another stream of this principal was opened"),
      undefined,
    ]);
  });

  it("keeps a connection open with comments, and ends when its token expires", async () => {
    const expires = new Date(Date.now() + 3_600_000);
    open({ keepAliveMs: 5 }, [{ ...ann, expires }]);
    const stream = await read(as(ann));
    expect(await stream.take(3)).toEqual([
      hello(false, 0),
      { event: "comment", data: "keep-alive" },
      { event: "comment", data: "keep-alive" },
    ]);
    const now = Date.now;
    Date.now = () => expires.getTime();
    try {
      let event = await stream.next();
      while (event?.event === "comment") event = await stream.next();
      expect([event, await stream.next()]).toEqual([closed("The bearer token has expired"), undefined]);
    } finally {
      Date.now = now;
    }
  });

  it("ends with the server, and needs a token where there are tokens", async () => {
    open({}, [ann]);
    const refused = await request();
    expect([refused.status, (await refused.json()) as object]).toMatchObject([
      401,
      { data: { error_code: "UNAUTHORIZED", details: { reason: "missing" } } },
    ]);
    const stream = await read(as(ann));
    await stream.next();
    await app.close();
    expect(await stream.take(2)).toEqual([closed("The server is shutting down"), undefined]);
  });

  it("drops a client that does not read, which resumes later", async () => {
    const source = open();
    const lazy = await read();
    const eager = await read();
    await eager.next();
    const long = "x".repeat(100_000);
    for (let number = 1; number <= 5; number++) {
      source.change("a", `${number}-${long}`);
      await eager.next();
    }
    const events = [];
    for (let event = await lazy.next(); event !== undefined; event = await lazy.next()) events.push(event);
    expect(events.map(({ id }) => id)).toEqual([0, 1, 2, 3].map((number) => `${feed.id}.${number}`));
    const again = await read({ "last-event-id": `${feed.id}.3` });
    expect((await again.take(3)).map((event) => [event?.event, event?.id])).toEqual([
      ["hello", undefined],
      ["change", `${feed.id}.4`],
      ["change", `${feed.id}.5`],
    ]);
  });

  it("opens no stream for HEAD, and answers with the error of a store that cannot be opened", async () => {
    const source = open({ streamsOfPrincipal: 1 });
    const stream = await read();
    await stream.next();
    expect((await request({}, "/events", "HEAD")).status).toBe(200);
    source.change("a", "1-x");
    expect(await stream.next()).toEqual(changeOf("a", "1-x", 1));
    await app.close();
    feed = new ChangeFeed({
      open: async () => {
        throw new Error("secret");
      },
    });
    app = createHttpApp(createRegistry({ name: "s", version: "1.0.0" }), {
      logger: pino({ level: "silent" }),
      routes: { routes: [createEventsRoute(feed).route] },
    });
    const failed = await request();
    expect([failed.status, (await failed.text()).includes("secret")]).toEqual([500, false]);
  });
});
