import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Logger } from "../context/logger.ts";
import { definePrompt } from "../define/prompt.ts";
import { defineResource } from "../define/resource.ts";
import { defineTool } from "../define/tool.ts";
import { createHttpApp, type HttpApp } from "../http/http-app.ts";
import { createRegistry } from "../registry/registry.ts";
import { createMcpHost, createMcpServer } from "./create-mcp-server.ts";
import { forwardChanges } from "./forward-changes.ts";

const lines: object[] = [];
const log = (facts: object, event: string) => void lines.push({ event, ...facts });
const logger: Logger = { debug() {}, info: log, warn: log, error: log, child: () => logger };
const registry = createRegistry({
  logger,
  name: "offer",
  version: "1.2.3",
  title: "Offer",
  instructions: "Read note://all first.",
  tools: [defineTool({ name: "noop", version: "1.0.0", description: "Nothing", run: () => {} })],
  resources: [
    defineResource({ name: "all", uri: "note://all", mimeType: "text/plain", read: () => "all notes" }),
    defineResource({ name: "icon", uri: "note://icon", read: () => new Uint8Array([104, 105]) }),
    defineResource({
      name: "broken",
      uri: "note://broken",
      read: () => {
        throw new Error("secret path /etc/shadow");
      },
    }),
    defineResource({
      name: "note",
      uriTemplate: "note://by-id/{id}",
      title: "One note",
      read: ({ id }, { client }) => ({
        contents: [{ uri: `note://by-id/${id}`, text: `${id} for ${client.name}` }],
      }),
      list: () => [{ name: "first", uri: "note://by-id/1" }],
      complete: { id: (typed) => ["1", "10", "2"].filter((id) => id.startsWith(typed)) },
    }),
  ],
  prompts: [
    definePrompt({
      name: "review",
      description: "Review a note",
      arguments: z.object({ id: z.string().describe("The note"), tone: z.string().optional() }),
      complete: { tone: async () => Array.from({ length: 150 }, (_, index) => `tone-${index}`) },
      render: ({ id, tone }) => `Review ${id} ${tone ?? "plainly"}`,
    }),
    definePrompt({ name: "mute", render: () => null as never }),
    definePrompt({
      name: "talk",
      render: () => [{ role: "assistant", content: { type: "text", text: "Hello" } }],
    }),
  ],
});

/** Returns the failure in the data of a JSON-RPC error. */
async function refusal(work: Promise<unknown>, part: "data" | "meta" = "data"): Promise<unknown> {
  try {
    return await work;
  } catch (thrown) {
    const { code, data } = thrown as {
      code: number;
      data?: { data?: object; meta?: object; error?: string };
    };
    return { code, error: data?.error, ...data?.[part] };
  }
}

describe.each(["2025-11-25", "2026-07-28"])(
  "what a server offers beside tools, to a client of %s",
  (revision) => {
    let app: HttpApp;
    let client: Client;

    beforeAll(async () => {
      app = createHttpApp(registry);
      const isModern = revision === "2026-07-28";
      client = new Client(
        { name: "reader", version: "1.0.0" },
        isModern ? { versionNegotiation: { mode: { pin: revision } } } : {},
      );
      const fetch = async (url: string | URL, init?: RequestInit) => {
        const request = new Request(url, init);
        request.headers.set("host", "localhost");
        return app.fetch(request);
      };
      await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
    });
    afterAll(async () => {
      await client.close();
      await app.close();
    });

    it("reports its name and version", () => {
      expect(client.getServerVersion()).toMatchObject({ name: "offer", version: "1.2.3", title: "Offer" });
      expect(client.getInstructions()).toBe("Read note://all first.");
    });

    it("lists and reads resources", async () => {
      const { resources } = await client.listResources();
      expect(resources).toEqual([
        { uri: "note://all", name: "all", mimeType: "text/plain" },
        { uri: "note://icon", name: "icon" },
        { uri: "note://broken", name: "broken" },
        { uri: "note://by-id/1", name: "first" },
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toEqual([
        { uriTemplate: "note://by-id/{id}", name: "note", title: "One note" },
      ]);
      const read = async (uri: string) => (await client.readResource({ uri })).contents;
      expect(await read("note://all")).toEqual([
        { uri: "note://all", mimeType: "text/plain", text: "all notes" },
      ]);
      expect(await read("note://all/")).toEqual([
        { uri: "note://all/", mimeType: "text/plain", text: "all notes" },
      ]);
      expect(await read("note://icon")).toEqual([{ uri: "note://icon", blob: "aGk=" }]);
      expect(await read("note://by-id/7")).toEqual([{ uri: "note://by-id/7", text: "7 for reader" }]);
    });

    it("answers unknown and failing resources with the envelope in the error's data", async () => {
      expect(await refusal(client.readResource({ uri: "note://al" }))).toMatchObject({
        code: -32_602,
        error_code: "NOT_FOUND",
        remediation: expect.stringContaining("Did you mean note://all?"),
      });
      const broken = await refusal(client.readResource({ uri: "note://broken" }));
      expect(broken).toMatchObject({ code: -32_603, error_code: "INTERNAL_ERROR" });
      expect(JSON.stringify(broken)).not.toContain("shadow");
      const { request_id } = (await refusal(client.readResource({ uri: "note://broken" }), "meta")) as {
        request_id: string;
      };
      expect(lines.at(-1)).toEqual({
        event: "resources/read",
        request_id,
        error_code: "INTERNAL_ERROR",
        err: new Error("secret path /etc/shadow"),
      });
      expect(await refusal(client.getPrompt({ name: "revue" }))).toMatchObject({
        code: -32_602,
        error_code: "NOT_FOUND",
        remediation: "Did you mean review? Use one of: review, mute, talk.",
      });
      expect(await refusal(client.getPrompt({ name: "mute" }))).toMatchObject({
        code: -32_603,
        error: "Cannot answer: prompt mute gave a malformed result",
      });
      expect(await refusal(client.getPrompt({ name: "review" }))).toMatchObject({
        code: -32_602,
        error_code: "MISSING_REQUIRED",
        details: { field: "id", constraint: "required", received: null },
      });
    });

    it("lists and renders prompts", async () => {
      expect((await client.listPrompts()).prompts).toEqual([
        {
          name: "review",
          description: "Review a note",
          arguments: [
            { name: "id", description: "The note", required: true },
            { name: "tone", required: false },
          ],
        },
        { name: "mute", arguments: [] },
        { name: "talk", arguments: [] },
      ]);
      const review = await client.getPrompt({ name: "review", arguments: { id: "7" } });
      expect(review).toMatchObject({
        description: "Review a note",
        messages: [{ role: "user", content: { type: "text", text: "Review 7 plainly" } }],
      });
      expect((await client.getPrompt({ name: "talk" })).messages).toEqual([
        { role: "assistant", content: { type: "text", text: "Hello" } },
      ]);
    });

    it("completes arguments", async () => {
      const complete = async (ref: object, name: string, value: string) =>
        (await client.complete({ ref: ref as never, argument: { name, value } })).completion;
      expect(await complete({ type: "ref/resource", uri: "note://by-id/{id}" }, "id", "1")).toEqual({
        values: ["1", "10"],
        total: 2,
        hasMore: false,
      });
      const tones = await complete({ type: "ref/prompt", name: "review" }, "tone", "");
      expect([tones.values.length, tones.total, tones.hasMore]).toEqual([100, 150, true]);
      expect((await complete({ type: "ref/prompt", name: "review" }, "id", "")).values).toEqual([]);
      expect(await refusal(complete({ type: "ref/prompt", name: "no" }, "id", ""))).toMatchObject({
        error_code: "NOT_FOUND",
      });
    });
  },
);

describe("changes", () => {
  it("reach a legacy client that subscribed, and stop when it disconnects", async () => {
    const own = createRegistry({
      name: "own",
      version: "1.0.0",
      resources: [defineResource({ name: "r", uri: "x://r", read: () => "" })],
    });
    const connection = createMcpServer(createMcpHost(own, { surface: "stdio" }), { era: "legacy" });
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    await connection.mcp.connect(theirs);
    forwardChanges(own, connection);
    const client = new Client({ name: "c", version: "1.0.0" });
    const heard: string[] = [];
    let tell: () => void = () => {};
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
      tell();
    });
    await client.connect(mine);
    await client.subscribeResource({ uri: "x://r" });
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    own.resourceChanged("x://other");
    own.resourceChanged("x://r");
    await told;
    await client.unsubscribeResource({ uri: "x://r" });
    own.resourceChanged("x://r");
    await client.ping();
    expect(heard).toEqual(["x://r"]);
    await client.close();
    own.resourceChanged("x://r");
  });
});
