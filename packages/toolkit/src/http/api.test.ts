import { defineErrors } from "@foundry-mcp/contract";
import { afterAll, describe, expect, it } from "vitest";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp } from "./http-app.ts";

const errors = defineErrors({
  LOCK_CLOSED: { type: "conflict", status: 423, remediation: "Come back later." },
});
const lock = defineTool({
  name: "lock",
  version: "1.0.0",
  description: "Passes the lock",
  run: () => {
    throw errors.error("LOCK_CLOSED", "The lock is closed", { data: { retry_after_seconds: 1.5 } });
  },
});
const app = createHttpApp(
  createRegistry({ name: "locks", version: "1.0.0", tools: [lock], errors: errors.catalogue }),
);
afterAll(() => app.close());

const post = (path: string, init: RequestInit = {}) =>
  app.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      ...init,
      headers: { host: "localhost", ...init.headers },
    }),
  );

describe("POST /api/tools/{tool}", () => {
  it("answers with the status of the server's own error code, the request id and Retry-After", async () => {
    const response = await post("/api/tools/lock", { headers: { "x-request-id": "mine" } });
    expect([
      response.status,
      response.headers.get("x-request-id"),
      response.headers.get("retry-after"),
    ]).toEqual([423, "mine", "2"]);
    expect(await response.json()).toMatchObject({
      data: { error_code: "LOCK_CLOSED" },
      meta: { request_id: "mine" },
    });
  });

  it("answers 404 for any other route", async () => {
    const response = await app.fetch(
      new Request("http://localhost/api/tools/lock", { headers: { host: "localhost" } }),
    );
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { data: { error_code: "NOT_FOUND" } },
    ]);
  });
});
