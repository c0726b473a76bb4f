import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, describe, expect, it } from "vitest";
import { connectSdk, type SdkClient, sdkNames } from "../toolkit/sdk-clients.ts";
import { tokenOf } from "./shared-server-tokens.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const sessionCount = 2_000;
const waitCount = 500;
const streamCount = 500;
/** The maximum time of an answer. The goal is one second, but test machines may be slow. */
const maxAnswerMs = 30_000;

let workspace: TestWorkspace;
let server: WorkerProcess;
let flood: Flood;
afterEach(async () => {
  flood.close();
  server.child.stdin?.end();
  await server.ended;
  await workspace.remove();
});

async function openServer(principals: readonly string[]): Promise<string> {
  workspace = await createWorkspace();
  await workspace.write("active/one.json", specOf("one"));
  server = startWorker("shared-server", [workspace.folder, ...principals]);
  const { url } = (await server.next()) as { readonly url: string };
  return url;
}

/** All connections and requests that one caller has open at a server. */
class Flood {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true });
  #nextId = 0;

  readonly #clientInfo: { readonly name: string; readonly version: string };

  constructor(url: string, principal: string | undefined, client: string) {
    this.#clientInfo = { name: client, version: "1.0.0" };
    this.#url = `${url}/mcp`;
    this.#headers = principal === undefined ? {} : { authorization: `Bearer ${tokenOf(principal)}` };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request, and returns the response as soon as it begins. The body of the response is never read. */
  send(method: string, headers: Readonly<Record<string, string>>, body?: object): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#url,
        {
          method,
          agent: this.#agent,
          headers: {
            ...this.#headers,
            accept: "application/json, text/event-stream",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
          },
        },
        (response) => {
          // The server may end the request at any time.
          response.on("error", () => {});
          resolve(response);
        },
      );
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  message(method: string, params: object): object {
    this.#nextId += 1;
    return { jsonrpc: "2.0", id: this.#nextId, method, params };
  }

  /** Opens a session and returns its id, or the status of the refusal. */
  async initialize(): Promise<string | number> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: this.#clientInfo };
    const response = await this.send("POST", {}, this.message("initialize", params));
    const id = response.headers["mcp-session-id"];
    response.resume();
    return response.statusCode === 200 ? String(id) : Number(response.statusCode);
  }

  wait(session: string): Promise<IncomingMessage> {
    const args = { action: "wait", spec_id: "one", for: "change", timeout_seconds: 3_600 };
    const call = this.message("tools/call", { name: "task", arguments: args });
    return this.send("POST", { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }, call);
  }

  listen(): Promise<IncomingMessage> {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": this.#clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = this.message("subscriptions/listen", { _meta, notifications: { toolsListChanged: true } });
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    return this.send("POST", headers, call);
  }

  stream(session: string): Promise<IncomingMessage> {
    return this.send("GET", { "mcp-session-id": session });
  }
}

/** Runs the steps, at most the given number concurrently. */
async function each<T, R>(items: readonly T[], atOnce: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await run(items[index] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

function countBy(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/**
 * Opens sessions, waits and streams as fast as the server accepts them. Returns the number of each that the server
 * accepted.
 */
async function run(attack: Flood) {
  const opened = await each(range(sessionCount), 50, () => attack.initialize());
  const sessions = opened.filter((id) => typeof id === "string");
  // The newest sessions are open. The range is a little smaller, because sessions were not opened exactly in this
  // order.
  const alive = sessions.slice(-900);
  const waits = await each(range(waitCount), 50, (index) => attack.wait(String(alive[index])));
  const streams = await each(range(streamCount), 50, (index) =>
    index % 2 === 0 ? attack.listen() : attack.stream(String(alive[waitCount + (index - 1) / 2])),
  );
  return {
    sessions: sessions.length,
    waits: countBy(waits.map(({ statusCode }) => statusCode)),
    streams: countBy(streams.map(({ statusCode }) => statusCode)),
  };
}

function residentMiB({ child: { pid } }: WorkerProcess): string {
  try {
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return `${Math.round(Number(kibibytes) / 1_024)} MiB`;
  } catch {
    return "unknown";
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await work(), performance.now() - startedAt];
}

describe.each([
  { name: "with tokens", principals: ["flood", "newcomer"], client: "flood" },
  { name: "without tokens", principals: [], client: "flood" },
  // Clients that send the same name count as one caller. Other clients with this name are still admitted.
  { name: "without tokens, under the name of others", principals: [], client: "matrix-sdk-1" },
])("a server $name", ({ name, principals, client: floodName }) => {
  it("answers a newcomer while another caller holds all that it can get", async () => {
    const url = await openServer(principals);
    flood = new Flood(url, principals[0], floodName);
    const [taken, floodMs] = await timed(() => run(flood));
    process.stdout.write(
      `${name}: the flood opened ${taken.sessions} sessions, ${JSON.stringify(taken.waits)} waits and ${JSON.stringify(taken.streams)} streams by status in ${(floodMs / 1_000).toFixed(1)} s; the server has ${residentMiB(server)}\n`,
    );
    expect(taken.sessions).toBe(sessionCount);
    const headers: Record<string, string> =
      principals.length === 0 ? {} : { authorization: `Bearer ${tokenOf("newcomer")}` };
    const args = { action: "list" };
    for (const sdk of sdkNames) {
      const [client, openMs] = await timed(() => connectSdk(sdk, { url: `${url}/mcp`, headers }));
      const [answer, callMs] = await timed(() => client.callTool({ name: "spec", arguments: args }));
      process.stdout.write(
        `${name}: ${sdk} opened in ${openMs.toFixed(0)} ms and was answered in ${callMs.toFixed(0)} ms\n`,
      );
      expect(answer.isError ?? false).toBe(false);
      expect(openMs + callMs).toBeLessThan(maxAnswerMs);
      await expectToWait(client, floodName !== "matrix-sdk-1" || sdk !== "SDK 1");
      await client.close();
    }
    const listener = new Flood(url, principals[1], "newcomer");
    const streams = [await listener.listen(), await listener.stream(String(await listener.initialize()))];
    for (const stream of streams) stream.resume();
    const post = { method: "POST", headers, body: JSON.stringify(args) };
    const [response, apiMs] = await timed(() => fetch(`${url}/api/tools/spec`, post));
    process.stdout.write(`${name}: /api answered in ${apiMs.toFixed(0)} ms\n`);
    expect(response.status).toBe(200);
    expect(apiMs).toBeLessThan(maxAnswerMs);
    // Both streams are open. The server did not close them in favor of the streams of the flood.
    expect(streams.map((stream) => [stream.statusCode, isEventStream(stream), stream.complete])).toEqual([
      [200, true, false],
      [200, true, false],
    ]);
    listener.close();
  }, 300_000);
});

/**
 * Checks that a new caller also replaces a waiting call, unless it has the name of the caller that has all waits.
 */
async function expectToWait(client: SdkClient, isAdmitted: boolean): Promise<void> {
  const args = { action: "wait", spec_id: "one", for: "change", timeout_seconds: 0.01 };
  const { structuredContent } = await client.callTool({ name: "task", arguments: args });
  expect((structuredContent as Envelope).data).toMatchObject(
    isAdmitted
      ? { changed: false, timed_out: true }
      : { error_code: "RESOURCE_BUSY", retry_after_seconds: 5 },
  );
}
