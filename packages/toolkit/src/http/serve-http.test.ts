import { lookup } from "node:dns/promises";
import { afterEach, expect, it, vi } from "vitest";
import { silentLogger } from "../context/logger.ts";
import { createRegistry } from "../registry/registry.ts";
import { serveHttp } from "./serve-http.ts";

vi.mock("node:dns/promises", { spy: true });
afterEach(() => vi.restoreAllMocks());

const registry = createRegistry({ name: "s", version: "1.0.0" });
const options = { host: "localhost", port: 0, logger: silentLogger, handleSignals: false };

it("listens on the loopback address that localhost is resolved to", async () => {
  vi.mocked(lookup).mockResolvedValue({ address: "127.0.0.5", family: 4 } as never);
  const server = await serveHttp(registry, options);
  expect(server.url).toBe(`http://127.0.0.5:${server.port}`);
  await server.close();
});

it("is refused without tokens where localhost is resolved to another address", async () => {
  vi.mocked(lookup).mockResolvedValue({ address: "0.0.0.0", family: 4 } as never);
  await expect(serveHttp(registry, options)).rejects.toMatchObject({
    message: 'Cannot listen on "0.0.0.0", which others can reach, without tokens and allowedHosts',
    options: { details: { field: "host" } },
  });
});
