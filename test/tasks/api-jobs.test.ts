import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { createHttpApp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

let release: () => void;
let app: ReturnType<typeof createHttpApp>;
let signal: AbortSignal | undefined;
const define = (name: string, task: "never" | "optional" | "required") =>
  defineTool({
    ...{ name, task, version: "1.0.0", description: name, readOnly: true },
    input: z.object({ to: z.int() }),
    output: z.object({ counted: z.int() }),
    run: async ({ to }, context) => {
      signal = context.signal;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { counted: to };
    },
  });
beforeEach(() => {
  release = () => {};
  signal = undefined;
  const tools = [define("never", "never"), define("optional", "optional"), define("required", "required")];
  const registry = createRegistry({ name: "slow", version: "1.0.0", tools, jobs: createMemoryJobs() });
  const tokens = ["ann", "bob"].map((id) => ({ principal: id, token: `${id}-0123456789abcdef` }));
  app = createHttpApp(registry, { tokens, allowedHosts: ["localhost"] });
});
afterEach(() => app.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly success: boolean; readonly data: Record<string, unknown> };
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  who = "ann",
): Promise<Answer> {
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { host: "localhost", authorization: `Bearer ${who}-0123456789abcdef`, ...headers },
      ...(method === "POST" ? { body: '{"to":3}' } : {}),
    }),
  );
  const { status } = response;
  return { status, headers: response.headers, body: (await response.json()) as Answer["body"] };
}
const prefer = { prefer: "wait=5, Respond-Async" };

describe("a call of /api that prefers an asynchronous response", () => {
  it.each(["optional", "required"])("is accepted (%s), and its job is at the location", async (tool) => {
    const { status, headers, body } = await send("POST", `/api/tools/${tool}`, prefer);
    const location = headers.get("location") ?? "";
    expect([status, headers.get("preference-applied"), body.success, body.data["status"]]).toEqual([
      202,
      "respond-async",
      true,
      "working",
    ]);
    expect(location).toBe(`/api/jobs/${body.data["id"]}`);
    const working = await send("GET", location);
    expect([working.status, working.headers.get("retry-after"), working.body.data["status"]]).toEqual([
      200,
      "1",
      "working",
    ]);
    await vi.waitFor(() => expect(signal).toBeDefined());
    release();
    await vi.waitFor(async () => {
      const { headers: last, body: ended } = await send("GET", location);
      expect([last.get("retry-after"), ended.data]).toEqual([
        null,
        expect.objectContaining({
          status: "completed",
          result: expect.objectContaining({ success: true, data: { counted: 3 } }),
        }),
      ]);
    });
  });

  it("is cancelled with DELETE, and its handler is told", async () => {
    const { headers } = await send("POST", "/api/tools/optional", prefer);
    const location = headers.get("location") ?? "";
    await vi.waitFor(() => expect(signal).toBeDefined());
    expect((await send("DELETE", location)).body.data).toMatchObject({ status: "cancelled" });
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
    expect((await send("GET", location)).body.data).toMatchObject({ status: "cancelled" });
  });

  it("is unknown to another principal", async () => {
    const { headers } = await send("POST", "/api/tools/optional", prefer);
    for (const method of ["GET", "DELETE"]) {
      const { status, body } = await send(method, headers.get("location") ?? "", {}, "bob");
      expect([status, body.data["error_code"]]).toEqual([404, "JOB_NOT_FOUND"]);
    }
  });

  it("is answered at once by an action that is never a job, and so is a call without the preference", async () => {
    for (const [tool, headers] of [
      ["never", prefer],
      ["optional", {}],
    ] as const) {
      const answer = send("POST", `/api/tools/${tool}`, headers);
      await vi.waitFor(() => expect(signal).toBeDefined());
      release();
      expect(await answer).toMatchObject({ status: 200, body: { success: true, data: { counted: 3 } } });
      signal = undefined;
    }
  });
});
