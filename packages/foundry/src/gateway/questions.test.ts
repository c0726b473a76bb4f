import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { connect } from "@foundry-mcp/toolkit/client";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { fixtureEntry, openTestGateway, silent, type TestGateway } from "./testing/open-test-gateway.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});
const opened = <T extends { close(): unknown }>(each: T): T => {
  open.push(each);
  return each;
};

/** A server of protocol version 2026-07-28, whose tool asks the user and then the model. */
async function startModernUpstream(): Promise<string> {
  const tool = defineTool({
    name: "call",
    version: "1.0.0",
    description: "Asks",
    input: z.looseObject({}),
    output: z.looseObject({}),
    run: async (args, { elicit, sample }) => {
      const who = await elicit({ message: "Who?", schema: z.object({ name: z.string() }) });
      const name = who.action === "accept" ? who.content.name : "nobody";
      const text = { type: "text", text: `Greet ${name}` };
      const { content } = await sample({ messages: [{ role: "user", content: text }], maxTokens: 10 });
      return { who, said: content, args };
    },
  });
  const registry = createRegistry({ name: "modern", version: "1.0.0", tools: [tool] });
  const server = opened(await serveHttp(registry, { port: 0, host: "127.0.0.1", logger: silent }));
  return `${server.url}/mcp`;
}

async function serve(gateway: TestGateway): Promise<string> {
  const server = opened(await serveHttp(gateway.registry, { port: 0, host: "127.0.0.1", logger: silent }));
  return `${server.url}/mcp`;
}

const answers = {
  onElicit: () => ({ action: "accept" as const, content: { name: "Ann" } }),
  onSample: ({ messages }: { readonly messages: readonly unknown[] }) => ({
    role: "assistant" as const,
    model: "test",
    content: { type: "text" as const, text: `Hello (${JSON.stringify(messages).includes("Ann")})` },
  }),
};
const upstreams = ["legacy", "2026-07-28"] as const;

describe.each(upstreams)("a question of a server of protocol version %s", (era) => {
  const openBefore = async (section: object = {}) => {
    const entry = era === "legacy" ? fixtureEntry("asks") : { url: await startModernUpstream() };
    return opened(await openTestGateway({ one: entry }, section));
  };

  it.each(upstreams)("reaches a client of version %s, and its answer the server", async (protocol) => {
    const url = await serve(await openBefore());
    const client = opened(await connect(url, { protocol, ...answers }));
    expect(await client.callTool("call", { value: 1 })).toMatchObject({
      success: true,
      data: {
        who: { action: "accept", content: { name: "Ann" } },
        said: { type: "text", text: "Hello (true)" },
        args: { value: 1 },
      },
    });
  });

  it.each(upstreams)("reaches the right one of many calls of a client of version %s", async (protocol) => {
    const url = await serve(await openBefore());
    const client = opened(await connect(url, { protocol, ...answers }));
    const calls = Array.from({ length: 8 }, (_, value) => client.callTool("call", { value }));
    expect((await Promise.all(calls)).map(({ data, error }) => error ?? data)).toEqual(
      Array.from({ length: 8 }, (_, value) => expect.objectContaining({ args: { value } })),
    );
  });

  it.each(upstreams)("fails at a client of version %s that cannot answer", async (protocol) => {
    const url = await serve(await openBefore());
    const client = opened(await connect(url, { protocol }));
    const { success, error } = await client.callTool("call", { value: 1 });
    expect([success, error]).toEqual([false, expect.stringMatching(/elicitation/)]);
  });

  it("is not asked if the configuration says so", async () => {
    const url = await serve(await openBefore({ servers: { one: { questions: false } } }));
    const client = opened(await connect(url, { protocol: "2026-07-28", ...answers }));
    expect(await client.callTool("call", { value: 1 })).toMatchObject({ success: false });
  });
});

it("is refused while calls of several clients are running, and no client sees it", async () => {
  const gateway = opened(await openTestGateway({ one: fixtureEntry("asks", {}, "slow-change") }));
  const url = await serve(gateway);
  const onElicit = vi.fn(answers.onElicit);
  const [first, second] = await Promise.all(
    ["first", "second"].map(async (name) =>
      opened(
        await connect(url, {
          clientInfo: { name, version: "1" },
          protocol: "2026-07-28",
          ...answers,
          onElicit,
        }),
      ),
    ),
  );
  const cancel = new AbortController();
  const running = first?.callTool("change", {}, { signal: cancel.signal });
  await vi.waitFor(() => expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready" }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { error } = (await second?.callTool("call", {})) ?? {};
  expect([error, onElicit.mock.calls.length]).toEqual([
    expect.stringContaining("calls of several clients are running"),
    0,
  ]);
  cancel.abort();
  await running;
});

it("whose call has ended is refused, and so is the answer of another principal", async () => {
  const gateway = opened(await openTestGateway({ one: fixtureEntry("asks") }));
  const outcome = await gateway.registry.dispatch(
    { tool: "call", args: {} },
    {
      surface: "http",
      client: { name: "test" },
      round: { responses: { upstream_0: { action: "accept" } }, state: undefined },
    },
  );
  expect(outcome.envelope.data).toMatchObject({
    error_code: "INVALID_STATE",
    details: { may_have_run: true },
  });
});
