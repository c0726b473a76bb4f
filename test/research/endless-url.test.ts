import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openResearch } from "#built/foundry/research/tool/research.js";
import { createResearchTool } from "#built/foundry/research/tool/research-tool.js";
import { silentLogger } from "../toolkit/silent-logger.ts";

const sentence = "The tide turns when the moon has passed, on every coast. ";

/**
 * The server stalls at `/never`, sends without end at `/ever`, and redirects `/inside` to a private address. Any
 * other path is a page.
 */
const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (path === "/inside") {
    response.writeHead(302, { location: "http://inside.test/x" }).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  if (path === "/never") response.write(sentence);
  else if (path === "/ever") Readable.from(endless()).pipe(response);
  else response.end(sentence.repeat(30));
});
function* endless() {
  for (;;) yield sentence.repeat(1_000);
}
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("reports endless pages and redirects to private addresses as failures, and digests the rest", async () => {
  // Only the name `public.test` resolves to an allowed address, which is the address of the test server.
  const research = openResearch({
    documents: {
      folder: ".",
      isConfined: true,
      timeoutMs: 3_000,
      maxBytes: 2 ** 20,
      isAllowed: (address) => address === "127.0.0.1",
      lookup: ((name: string, _options: object, callback: (err: null, addresses: object[]) => void) =>
        callback(null, [{ address: name === "public.test" ? "127.0.0.1" : "10.0.0.7", family: 4 }])) as never,
    },
    archive: createMemoryArchive(),
    runsFolder: async () => {
      throw new Error("This test starts no run.");
    },
    isOneShot: false,
  });
  const registry = createRegistry({
    name: "endless",
    version: "1.0.0",
    tools: [createResearchTool(async () => research)],
    logger: silentLogger,
  });
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => `http://public.test:${port}/${path}`;
  const paths = [at("never"), at("ever"), at("inside"), "http://inside.test/x", at("page")];
  const envelope = await registry.call("research", {
    action: "digest-batch",
    query: "when does the tide turn",
    paths,
  });
  await research.close();
  const { digested, failures } = envelope.data as unknown as {
    digested: number;
    failures: readonly { name: string; reason: string; error_code: string }[];
  };
  expect(failures.map(({ name, reason, error_code }) => [name, reason, error_code])).toEqual([
    [at("never"), "too_slow", "TIMEOUT"],
    [at("ever"), "too_large", "CONTENT_TOO_LARGE"],
    [at("inside"), "forbidden", "FORBIDDEN"],
    ["http://inside.test/x", "forbidden", "FORBIDDEN"],
  ]);
  expect([envelope.success, digested]).toEqual([true, 1]);
  expect(envelope.meta.warning_details?.map(({ code }) => code)).toEqual(["PARTIAL_FAILURE"]);
});
