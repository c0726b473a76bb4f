import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FetchOptions, fetchDocument } from "./fetch-document.ts";
import { certificate, key } from "./testing/certificate.ts";
import { UnusableDocument } from "./unusable-document.ts";

const servers: Server[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts a local server. Returns its address, and the number of its open connections. */
async function serve(listener: RequestListener, isSecure = false) {
  const server = isSecure ? createSecureServer({ key, cert: certificate }, listener) : createServer(listener);
  servers.push(server);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, sockets, url: `http://127.0.0.1:${port}`, named: `http://public.test:${port}` };
}

type Lookup = NonNullable<FetchOptions["lookup"]>;

/**
 * Creates a resolver that answers each lookup with the next of these results, and all further lookups with the last
 * result.
 */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookup = ((name: string, _: unknown, callback: (err: null, found: unknown) => void) => {
    const answer = answers[Math.min(asked.push(name), answers.length) - 1] ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as unknown as Lookup;
  return { lookup, asked };
}

const here = { isAllowed: (address: string) => address === "127.0.0.1", ...resolver(["127.0.0.1"]) };

async function fetchText(url: string, own: FetchOptions = here) {
  const { bytes, ...rest } = await fetchDocument(url, own);
  return { ...rest, text: Buffer.from(bytes).toString() };
}

async function failureOf(url: string, own: FetchOptions = here) {
  const err = await fetchText(url, own).catch((thrown: unknown) => thrown);
  if (!(err instanceof UnusableDocument)) throw err;
  return [err.reason, err.message];
}

const notPublic = ["forbidden", "It is at an address that is not of the public internet"];

describe("fetchDocument", () => {
  test("fetches a document, without credentials", async () => {
    const asked: IncomingMessage["headers"][] = [];
    const { named, port, sockets } = await serve((request, response) => {
      asked.push(request.headers);
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .setHeader("set-cookie", "a=b")
        .end("<p>Text");
    });
    const wanted = { name: "/docs/a%20b.html", contentType: "text/html; charset=utf-8", text: "<p>Text" };
    expect(await fetchText(`${named}/docs/a b.html?x=1#part`)).toEqual(wanted);
    expect(await fetchText(`${named}/docs/a%20b.html`)).toEqual(wanted);
    const headers = {
      accept: "text/html, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1",
      "accept-encoding": "identity",
      "user-agent": "foundry-mcp",
      host: `public.test:${port}`,
      connection: "close",
    };
    expect(asked).toEqual([headers, headers]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("uses no proxy, whatever the environment", async () => {
    const proxied: string[] = [];
    const proxy = await serve((request, response) => {
      proxied.push(request.url ?? "");
      response.end("proxied");
    });
    for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"])
      vi.stubEnv(name, proxy.url);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const { named } = await serve((_, response) => response.end("direct"));
    expect((await fetchText(named)).text).toBe("direct");
    expect(proxied).toEqual([]);
  });

  test.each([
    [404, ["not_found", "Its server answers 404 Not Found"]],
    [410, ["not_found", "Its server answers 410 Gone"]],
    [401, ["forbidden", "Its server answers 401 Unauthorized"]],
    [403, ["forbidden", "Its server answers 403 Forbidden"]],
    [500, ["unreachable", "Its server answers 500 Internal Server Error"]],
    [503, ["unreachable", "Its server answers 503 Service Unavailable"]],
    [204, ["unreachable", "Its server answers 204 No Content"]],
    [302, ["unreachable", "Its server answers 302 Found"]],
    [599, ["unreachable", "Its server answers 599"]],
  ])("reports the status %i", async (status, failure) => {
    const { named, sockets } = await serve((_, response) => response.writeHead(status).end("secret words"));
    expect(await failureOf(named)).toEqual(failure);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("reports an unreachable server", async () => {
    const { port } = await serve(() => {});
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toEqual([
      "unreachable",
      "Its server cannot be reached (ECONNREFUSED)",
    ]);
    const lookup = ((_: string, __: unknown, callback: (err: Error) => void) =>
      callback(
        Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }),
      )) as unknown as Lookup;
    expect(await failureOf("http://nowhere.test/", { ...here, lookup })).toEqual([
      "unreachable",
      "Its server cannot be reached (ENOTFOUND)",
    ]);
    const { named } = await serve((request) => request.socket.end("no HTTP at all\r\n\r\n"));
    expect(await failureOf(named)).toEqual([
      "unreachable",
      "Its server cannot be reached (HPE_INVALID_CONSTANT)",
    ]);
  });

  test("reports an incomplete response", async () => {
    const { named } = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    });
    expect(await failureOf(named)).toEqual(["unreachable", "Its server cannot be reached (ECONNRESET)"]);
  });

  test("reports a response that is no HTTP", async () => {
    const { named } = await serve(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n");
      // The rest is sent in a separate packet, so that the response has begun.
      setTimeout(() => socket.end("no size\r\n"), 50);
    });
    expect(await failureOf(named)).toEqual(["unreachable", "Its server cannot be reached (ECONNRESET)"]);
  });

  test("refuses a self-signed certificate", async () => {
    const { port } = await serve((_, response) => response.end("text"), true);
    expect(await failureOf(`https://public.test:${port}/`)).toEqual([
      "unreachable",
      "Its server cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)",
    ]);
  });
});

describe("an address", () => {
  test.each([
    ["", "not_found", "It is not a valid address"],
    ["example.com/a", "not_found", "It is not a valid address"],
    ["http://", "not_found", "It is not a valid address"],
    ["http://exa mple.com/", "not_found", "It is not a valid address"],
    ["http://256.256.256.256/", "not_found", "It is not a valid address"],
    ["file:///etc/passwd", "forbidden", "Only addresses with http and https are fetched"],
    ["ftp://example.com/", "forbidden", "Only addresses with http and https are fetched"],
    ["data:text/plain,x", "forbidden", "Only addresses with http and https are fetched"],
    ["javascript:1", "forbidden", "Only addresses with http and https are fetched"],
    [
      "http://me:secret@example.com/",
      "forbidden",
      "Its address holds a user name or a password, which are not passed on",
    ],
    [
      "http:me@example.com/",
      "forbidden",
      "Its address holds a user name or a password, which are not passed on",
    ],
  ])("must be http or https, without credentials: %s", async (url, reason, message) => {
    expect(await failureOf(url, {})).toEqual([reason, message]);
  });

  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fd00::1]",
    "１２７.０.０.１",
    "①②⑦.0.0.1",
  ])("must be public, however it is written: %s", async (host) => {
    const { lookup, asked } = resolver(["8.8.8.8"]);
    const { port, sockets } = await serve((_, response) => response.end("private"));
    expect(await failureOf(`http://${host}:${port}/`, { lookup })).toEqual(notPublic);
    expect(asked).toEqual([]);
    expect(sockets.size).toBe(0);
  });

  test.each([
    [["127.0.0.1"]],
    [["10.1.2.3"]],
    [["::1"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["2606:4700::1111", "fd00::1"]],
    [["fe80::1%eth0"]],
    [[]],
  ])("must resolve to public addresses only: %j", async (addresses) => {
    const { lookup, asked } = resolver(addresses);
    expect(await failureOf("http://localhost.:1/", { lookup })).toEqual(notPublic);
    expect(asked).toEqual(["localhost."]);
  });

  test("is refused where the system resolver returns loopback", async () => {
    const { port, sockets } = await serve((_, response) => response.end("private"));
    for (const name of ["localhost", "LOCALHOST", "localhost."]) {
      const [reason] = await failureOf(`http://${name}:${port}/`, {});
      // Some systems do not resolve a name with a trailing dot.
      expect(name.endsWith(".") ? ["forbidden", "unreachable"] : ["forbidden"]).toContain(reason);
    }
    expect(sockets.size).toBe(0);
  });

  test("is checked at connection time, against DNS rebinding", async () => {
    const { named, port } = await serve((_, response) =>
      response.writeHead(302, { location: `http://public.test:${port}/again` }).end(),
    );
    const { lookup, asked } = resolver(["127.0.0.1"], ["10.0.0.1"]);
    expect(await failureOf(named, { ...here, lookup })).toEqual(notPublic);
    expect(asked).toEqual(["public.test", "public.test"]);
  });

  test("is resolved once per connection, which uses the checked address", async () => {
    const { named } = await serve((_, response) => response.end("text"));
    const { lookup, asked } = resolver(["127.0.0.1"], ["10.0.0.1"]);
    expect((await fetchText(named, { ...here, lookup })).text).toBe("text");
    expect(asked).toEqual(["public.test"]);
  });
});

describe("a redirect", () => {
  async function redirecting(locations: Readonly<Record<string, string>>, status = 302) {
    const asked: string[] = [];
    const server = await serve((request, response) => {
      asked.push(request.url ?? "");
      const location = locations[request.url ?? ""];
      if (location === undefined) response.end(`text of ${request.url}`);
      else response.writeHead(status, { location: location.replace("PORT", String(server.port)) }).end();
    });
    return { ...server, asked };
  }

  test.each([301, 302, 303, 307, 308])("is followed: %i", async (status) => {
    const { named, asked, sockets } = await redirecting({ "/a": "b/c", "/b/c": "/d.md#x" }, status);
    expect(await fetchText(`${named}/a`)).toMatchObject({ name: "/d.md", text: "text of /d.md" });
    expect(asked).toEqual(["/a", "/b/c", "/d.md"]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("is followed up to five times", async () => {
    const { named } = await redirecting({ "/0": "/1", "/1": "/2", "/2": "/3", "/3": "/4", "/4": "/5" });
    expect((await fetchText(`${named}/0`)).text).toBe("text of /5");
  });

  test("is followed at most five times", async () => {
    const { named, asked } = await redirecting({ "/a": "/b", "/b": "/a" });
    expect(await failureOf(`${named}/a`)).toEqual([
      "unreachable",
      "It redirects from one address to another more than 5 times",
    ]);
    expect(asked.length).toBe(6);
  });

  test.each([
    ["http://10.0.0.1/", notPublic],
    ["http://[::1]:PORT/", notPublic],
    ["http://0x7f000002:PORT/", notPublic],
    ["//169.254.169.254/latest", notPublic],
    ["file:///etc/passwd", ["forbidden", "Only addresses with http and https are fetched"]],
    [
      "http://me:secret@public.test:PORT/",
      ["forbidden", "Its address holds a user name or a password, which are not passed on"],
    ],
    ["http://", ["not_found", "It redirects to an invalid address"]],
  ])("is checked like any address: %s", async (location, failure) => {
    const { named, asked } = await redirecting({ "/": location });
    expect(await failureOf(named)).toEqual(failure);
    expect(asked).toEqual(["/"]);
  });

  test("to a host with a private address is refused", async () => {
    const { named } = await redirecting({ "/": "http://private.test:PORT/" });
    const { lookup, asked } = resolver(["127.0.0.1"], ["192.168.0.1"]);
    expect(await failureOf(named, { ...here, lookup })).toEqual(notPublic);
    expect(asked).toEqual(["public.test", "private.test"]);
  });

  test("from https to http is refused", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const plain = await serve((_, response) => response.end("text"));
    const { port } = await serve((request, response) => {
      const location = request.url === "/" ? "/on" : `${plain.named}/`;
      response.writeHead(302, { location }).end();
    }, true);
    expect(await failureOf(`https://public.test:${port}/`)).toEqual([
      "forbidden",
      "It redirects from https to http, where anyone could change it",
    ]);
    emitWarning.mockRestore();
  });
});

describe("a body", () => {
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, "a")));
    };
    response.on("drain", more);
    more();
  };

  test("is refused where it is too large, at once with a Content-Length", async () => {
    const { named, sockets } = await serve((_, response) => {
      response.writeHead(200, { "content-length": String(2 ** 40) }).flushHeaders();
    });
    expect(await failureOf(named, { ...here, maxBytes: 1_000 })).toEqual([
      "too_large",
      "It has more than 1,000 bytes",
    ]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("is refused where it never ends", async () => {
    const { named, sockets } = await serve(endless);
    expect(await failureOf(named, { ...here, maxBytes: 2 ** 20 })).toEqual([
      "too_large",
      "It has more than 1,048,576 bytes",
    ]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("may have exactly the maximum size", async () => {
    const { named } = await serve((_, response) => response.end("12345"));
    expect((await fetchText(named, { ...here, maxBytes: 5 })).text).toBe("12345");
    expect(await failureOf(named, { ...here, maxBytes: 4 })).toEqual([
      "too_large",
      "It has more than 4 bytes",
    ]);
  });

  test.each<[string, RequestListener]>([
    ["nothing comes", () => {}],
    ["no end comes", (_, response) => response.write("text")],
    [
      "it drips",
      (_, response) => {
        const timer = setInterval(() => response.write("a"), 5);
        response.on("close", () => clearInterval(timer));
      },
    ],
    [
      "headers drip",
      (request) => {
        request.socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => request.socket.write("x: y\r\n"), 5);
        request.socket.on("close", () => clearInterval(timer));
      },
    ],
  ])("times out: %s", async (_, listener) => {
    const { named, sockets } = await serve(listener);
    expect(await failureOf(named, { ...here, timeoutMs: 100 })).toEqual([
      "too_slow",
      "It did not end within 0.1 seconds",
    ]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("has one deadline for all redirects", async () => {
    const { named } = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: "/" }).end(), 40);
    });
    expect((await failureOf(named, { ...here, timeoutMs: 100 }))[0]).toBe("too_slow");
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["identity", (bytes: Buffer) => bytes],
  ])("is decompressed: %s", async (encoding, pack) => {
    const { named } = await serve((_, response) => {
      response.setHeader("content-encoding", encoding).end(pack(Buffer.from("text ".repeat(1_000))));
    });
    expect((await fetchText(named)).text).toBe("text ".repeat(1_000));
  });

  test("is refused where it decompresses to more than the maximum", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    expect(bomb.length).toBeLessThan(100_000);
    const { named, sockets } = await serve((_, response) =>
      response.setHeader("content-encoding", "gzip").end(bomb),
    );
    expect(await failureOf(named, { ...here, maxBytes: 2 ** 20 })).toEqual([
      "too_large",
      "It has more than 1,048,576 bytes",
    ]);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test.each([
    ["gzip", "no gzip", ["broken", "What its server sends cannot be unpacked"]],
    ["br", "no brotli", ["broken", "What its server sends cannot be unpacked"]],
    ["gzip", gzipSync("text").subarray(0, 12), ["broken", "What its server sends cannot be unpacked"]],
    ["zstd", "x", ["unreachable", "Its server sends it in an encoding that nobody asked for"]],
    ["gzip, gzip", "x", ["unreachable", "Its server sends it in an encoding that nobody asked for"]],
    ["constructor", "x", ["unreachable", "Its server sends it in an encoding that nobody asked for"]],
  ])("is refused where it cannot be decompressed: %s", async (encoding, body, failure) => {
    const { named, sockets } = await serve((_, response) =>
      response.setHeader("content-encoding", encoding).end(body),
    );
    expect(await failureOf(named)).toEqual(failure);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("an abort", () => {
  test.each<[string, RequestListener]>([
    ["before an answer", () => {}],
    ["in the middle of one", (_, response) => response.write("text")],
  ])("rejects with the reason of the signal: %s", async (_, listener) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { named, sockets } = await serve((request, response) => {
      listener(request, response);
      setImmediate(() => controller.abort(reason));
    });
    await expect(fetchDocument(named, { ...here, signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("works before the request, and during the DNS lookup", async () => {
    const reason = new Error("enough");
    await expect(fetchDocument("http://public.test/", { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const lookup = (() => controller.abort(reason)) as unknown as Lookup;
    await expect(
      fetchDocument("http://public.test/", { ...here, lookup, signal: controller.signal }),
    ).rejects.toBe(reason);
  });

  test("leaves no listener on the signal", async () => {
    const { named } = await serve((_, response) => response.end("text"));
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const added = vi.spyOn(signal, "addEventListener");
    await fetchDocument(named, { ...here, signal });
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });
});
