import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { findFreePort } from "./find-free-port.ts";
import { isFoundryServer } from "./is-foundry-server.ts";
import { takenPort } from "./taken-port.ts";

const close: (() => void)[] = [];
afterEach(() => {
  for (const each of close.splice(0)) each();
});

async function listen(answer: RequestListener, port = 0): Promise<number> {
  const server = createServer(answer);
  close.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

const healthy = JSON.stringify({
  success: true,
  data: { status: "ok" },
  error: null,
  meta: { version: "response-v2", request_id: "req_1", telemetry: { duration_ms: 0 } },
});
const foundry: RequestListener = ({ url }, response) => response.end(url === "/healthz" ? healthy : "no");

it.each<[string, RequestListener, boolean]>([
  ["that answers as Foundry does", foundry, true],
  ["of another kind", (_request, response) => response.end("<h1>Hello</h1>"), false],
  ["that is healthy in words of its own", (_request, response) => response.end('{"status":"ok"}'), false],
  [
    "that leads elsewhere",
    (_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    false,
  ],
  ["that never answers", () => {}, false],
])("a server %s", async (_title, answer, expected) => {
  const port = await listen(answer);
  expect(await isFoundryServer("127.0.0.1", port)).toBe(expected);
  expect(await isFoundryServer("0.0.0.0", port)).toBe(expected);
});

it("nobody listens on a free port, and one that is taken is passed over", async () => {
  const first = await listen(foundry);
  const free = await findFreePort("127.0.0.1", first);
  expect(free).not.toBe(first);
  const second = await listen(foundry, free);
  const next = await findFreePort("127.0.0.1", first);
  expect([first, second]).not.toContain(next);
  expect(await listen(foundry, next)).toBe(next);
  expect(await findFreePort("127.0.0.1", 65_535)).toBeGreaterThan(0);
  expect(await findFreePort("192.0.2.1", first)).toBeUndefined();
});

it("the failure says what to type, or only which port where the command would repeat a secret", async () => {
  const port = await listen(foundry);
  const address = { host: "localhost", port, address: "127.0.0.1" };
  const failure = await takenPort(address, (free) => `serve --port ${free}`, undefined);
  const details = failure.options.details as { readonly free_port: number };
  expect(failure.message).toMatch(
    new RegExp(`^Cannot serve at localhost:${port}: a Foundry server listens there`),
  );
  expect(failure.options).toMatchObject({
    errorCode: "UNAVAILABLE",
    remediation: `Use that server, stop it, or start this one on port ${details.free_port}, which is free.`,
    remedy: { command: `serve --port ${details.free_port}` },
    details: { field: "port", received: port, listener: { is_foundry: true } },
  });
  const secret = await takenPort(address, () => undefined, undefined);
  expect([secret.remediation, "remedy" in secret.options]).toEqual([
    expect.stringMatching(/^Use that server, stop it, or start this one on port \d+, which is free\.$/),
    false,
  ]);
});
