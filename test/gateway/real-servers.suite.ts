import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import { type AskRequest, cannotAsk, capabilityOf } from "@foundry-mcp/toolkit";
import {
  connectRaw,
  type RawConnection,
  readCallToolResult,
  readContentBlocks,
} from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foundryCli } from "../bins.ts";
import { connectSdk, type SdkClient, type SdkName } from "../toolkit/sdk-clients.ts";
import { pathOf, type RealServer, realCalls } from "./real-calls.ts";

const servers = Object.keys(realCalls) as RealServer[];

/** The entry of a server whose data is in a folder of its own. */
function entryOf(server: RealServer, data: string) {
  mkdirSync(data, { recursive: true });
  return {
    command: process.execPath,
    args: [pathOf(server), ...(server === "filesystem" ? [data] : [])],
    env: { MEMORY_FILE_PATH: join(data, "memory.jsonl") },
  };
}

/** Replaces the data folder in a value, and times, which differ between two processes. */
const withoutPlace = (value: unknown, data: string): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(data, "$")
      .replaceAll(/\d\d?:\d\d:\d\d( [AP]M)?/g, "(time)")
      .replaceAll(/(created|modified|accessed): [^\\"]*/g, "$1: (date)"),
  );

const inFolder = (args: object, data: string) =>
  JSON.parse(JSON.stringify(args).replaceAll(/"\$(?=[/"])/g, `"${data}`)) as Record<string, unknown>;

/** Calls every tool of real servers directly and through the gateway, with a client of each SDK, and compares. */
export function describeRealServers(sdks: readonly SdkName[]): void {
  describe.each(sdks)("a client of %s", (sdk) => {
    const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-real-"));
    afterAll(async () => {
      await client?.close();
      rmSync(folder, { recursive: true });
    });
    let client: SdkClient;
    const dataOf = (server: RealServer, way: string) => join(folder, `${way}-${server}`);
    beforeAll(async () => {
      const mcpServers = Object.fromEntries(
        servers.map((server) => [server, entryOf(server, dataOf(server, "gateway"))]),
      );
      const config = join(folder, "servers.json");
      writeFileSync(config, JSON.stringify({ mcpServers }));
      client = await connectSdk(sdk, {
        command: process.execPath,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder },
        args: [foundryCli, "gateway", "--config", config, "--log-level", "silent"],
      });
    });

    it.each(servers)("gets from every tool of %s what the server itself answers", async (server) => {
      const entry = entryOf(server, dataOf(server, "direct"));
      // The client answers no questions, and neither does the direct connection.
      const questions = {
        owner: "",
        ask: (request: AskRequest) => Promise.reject(cannotAsk(capabilityOf(request))),
      };
      await using direct: RawConnection = await connectRaw(
        { ...entry, stderr: "ignore" },
        { relaysQuestions: true },
      );
      const called = new Set<string>();
      for (const { tool, args } of realCalls[server]) {
        called.add(tool);
        const given = { name: `${server}__${tool}`, arguments: inFolder(args, dataOf(server, "gateway")) };
        const { content, structuredContent, isError = false } = await client.callTool(given);
        const [first, ...blocks] = content;
        expect(JSON.parse(first?.text ?? "")).toEqual(structuredContent);
        expect(checkEnvelope(structuredContent).filter(({ level }) => level === "MUST")).toEqual([]);
        const answer = structuredContent as Envelope<Record<string, unknown>>;
        expect(isError).toBe(!answer.success);
        if (tool === "get-env") continue;
        const reply = await direct.request(
          "tools/call",
          { name: tool, arguments: inFolder(args, dataOf(server, "direct")) },
          { questions, followsTasks: tool === "simulate-research-query" ? "required" : true },
        );
        if (reply.kind !== "result") throw new Error(`${tool} gave no result`);
        const wanted = readCallToolResult(reply.result);
        const details = wanted.success ? {} : { details: { upstream: server, ...wanted.data.details } };
        expect(withoutPlace({ ...answer.data, error: answer.error }, dataOf(server, "gateway"))).toEqual(
          withoutPlace({ ...wanted.data, ...details, error: wanted.error }, dataOf(server, "direct")),
        );
        const wantedBlocks = wanted.success ? readContentBlocks(reply.result) : [];
        expect(withoutPlace(blocks, dataOf(server, "gateway"))).toEqual(
          withoutPlace(wantedBlocks, dataOf(server, "direct")),
        );
      }
      const listed = (await client.listTools()).map(({ name }) => name);
      const own = listed.filter((name) => name.startsWith(`${server}__`));
      expect([...called].map((tool) => `${server}__${tool}`).toSorted()).toEqual(own.toSorted());
    });
  });
}
