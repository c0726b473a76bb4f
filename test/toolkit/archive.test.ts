import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentHashOf, createFileArchive } from "@foundry-mcp/toolkit/archive";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createArchiveRegistry, longText } from "./archive-tools.ts";
import { compiledScript, type ToolResult } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";

interface Reader {
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Connects the SDK clients themselves, because the shared clients cannot read resources. */
async function connect(sdk: string, place: { url: string } | { folder: string }): Promise<Reader> {
  const info = { name: "archive-test", version: "1.0.0" };
  const command = (folder: string) => ({
    command: process.execPath,
    args: [compiledScript("archive-stdio"), folder],
    stderr: "ignore" as const,
  });
  if (sdk === "SDK 1") {
    const client = new Client1(info);
    const transport = "url" in place ? new Http1(new URL(place.url)) : new Stdio1(command(place.folder));
    await client.connect(transport as Parameters<Client1["connect"]>[0]);
    return {
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
      read: async (uri) => (await client.readResource({ uri })).contents,
      close: () => client.close(),
    };
  }
  const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
  const client = new Client2(info, sdk === "SDK 2 modern" ? modern : {});
  await client.connect("url" in place ? new Http2(new URL(place.url)) : new Stdio2(command(place.folder)));
  return {
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

interface Answer {
  readonly success: boolean;
  readonly data: Record<string, unknown>;
  readonly meta: {
    readonly content_archive_hashes?: Record<string, string>;
    readonly dropped_content_ids?: readonly string[];
    readonly pagination?: { readonly cursor: string | null };
  };
}

const answerOf = ({ structuredContent }: ToolResult) => structuredContent as Answer;
const original = { title: "Long", text: longText(60_000), tags: ["a", "b"] };

describe.each(["SDK 1", "SDK 2 legacy", "SDK 2 modern"])("archived content, %s", (sdk) => {
  describe.each(["stdio", "HTTP"])("over %s", (surface) => {
    let folder: string;
    let http: RunningHttpServer | undefined;
    let client: Reader;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "archive-"));
      if (surface === "HTTP") {
        const registry = createArchiveRegistry(createFileArchive({ folder }), 2_000);
        http = await serveHttp(registry, { port: 0, logger: silentLogger });
      }
      client = await connect(sdk, http === undefined ? { folder } : { url: `${http.url}/mcp` });
    });
    afterAll(async () => {
      await client.close();
      await http?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it("is rebuilt byte for byte by its id, or by its link", async () => {
      const result = await client.call("long", { length: 60_000 });
      const { meta } = answerOf(result);
      const [[archive_id, hash], ...others] = Object.entries(meta.content_archive_hashes ?? {}) as [
        [string, string],
      ];
      expect(others).toEqual([]);
      expect(meta.dropped_content_ids).toEqual(["/text"]);

      let text = "";
      let pages = 0;
      let cursor: string | null | undefined;
      do {
        const page = await client.call("content", {
          action: "get",
          archive_id,
          ...(cursor ? { cursor } : {}),
        });
        expect(countTokens(page.content[0]?.text ?? "")).toBeLessThanOrEqual(2_000);
        const { success, data, meta } = answerOf(page);
        expect({ success, hash: data["hash"] }).toEqual({ success: true, hash });
        text += String(data["text"]);
        pages++;
        cursor = meta.pagination?.cursor;
      } while (cursor !== null);
      expect(pages).toBeGreaterThan(5);
      expect(text).toBe(JSON.stringify(original));
      expect(contentHashOf(Buffer.from(text))).toBe(hash);

      const link = result.content.find(({ type }) => type === "resource_link");
      expect(link).toEqual({
        type: "resource_link",
        uri: `foundry-content://${archive_id}`,
        name: archive_id,
        description: "The whole answer of long",
        mimeType: "application/json",
        size: Buffer.byteLength(text),
      });
      const uri = String(link?.["uri"]);
      expect(await client.read(uri)).toEqual([{ uri, mimeType: "application/json", text }]);
    });

    it("is fetched part by part, by the content ids of the response", async () => {
      const { meta } = answerOf(await client.call("long", { length: 60_000 }));
      const [content_id] = meta.dropped_content_ids ?? [];
      const get = { action: "get", content_id, max_tokens: 0 };
      expect(answerOf(await client.call("content", get)).data).toMatchObject({
        content_type: "text/plain",
        text: original.text,
      });
      const { data } = answerOf(await client.call("content", { action: "stat", content_id }));
      expect(data).toMatchObject({ tool: "long", verified: true, content_ids: ["/text"] });
      const list = answerOf(await client.call("content", { action: "list" }));
      expect(list.data["entries"]).toMatchObject([{ archive_id: data["archive_id"], tool: "long" }]);
    });

    it("is reported as not found where there is none", async () => {
      const archive_id = "arc_000000000000000000000000";
      const { data } = answerOf(await client.call("content", { action: "get", archive_id }));
      expect(data).toMatchObject({ error_code: "CONTENT_NOT_FOUND" });
      await expect(client.read(`foundry-content://${archive_id}`)).rejects.toMatchObject({
        data: { success: false, data: { error_code: "CONTENT_NOT_FOUND" } },
      });
    });
  });
});
