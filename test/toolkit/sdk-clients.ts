import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Progress } from "@foundry-mcp/toolkit";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The clients that every server must serve identically. */
export const sdkNames = ["SDK 1", "SDK 2 legacy", "SDK 2 modern"] as const;

export type SdkName = (typeof sdkNames)[number];

/** A server, given by its URL, by a command, or by a compiled script of this folder with its arguments. */
export type ServerPlace =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly script: string; readonly args?: readonly string[] };

/** A tool call of both SDKs. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** A tool result of both SDKs. */
export interface ToolResult {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly [key: string]: unknown;
  }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The common interface of both SDKs' clients. */
export interface SdkClient {
  listTools(): Promise<readonly { readonly name: string; readonly [key: string]: unknown }[]>;
  callTool(call: ToolCall, options?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly onprogress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** The options of a client. */
export interface ConnectOptions {
  /** Called with the names of the tools when the list has changed. */
  readonly onToolsChanged?: (names: readonly string[]) => void;
}

/** Connects a client of an SDK and lists the tools, so that the client validates answers against their schemas. */
export async function connectSdk(
  sdk: SdkName,
  place: ServerPlace,
  options: ConnectOptions = {},
): Promise<SdkClient> {
  const client = sdk === "SDK 1" ? await connectSdk1(place, options) : await connectSdk2(sdk, place, options);
  await client.listTools();
  return client;
}

async function connectSdk1(place: ServerPlace, options: ConnectOptions): Promise<SdkClient> {
  const client = new Client1({ name: "matrix-sdk-1", version: "1.0.0" }, listChanged(options));
  const transport =
    "url" in place ? new Http1(new URL(place.url), initOf(place)) : new Stdio1(commandOf(place));
  // SDK 1 declares members of its transports as possibly undefined, which exactOptionalPropertyTypes rejects.
  await client.connect(transport as Parameters<Client1["connect"]>[0]);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (call, given) =>
      (await client.callTool({ ...call }, undefined, { ...given } as object)) as ToolResult,
    close: () => client.close(),
  };
}

async function connectSdk2(
  sdk: Exclude<SdkName, "SDK 1">,
  place: ServerPlace,
  options: ConnectOptions,
): Promise<SdkClient> {
  const client = new Client2(
    { name: "matrix-sdk-2", version: "2.0.0" },
    {
      ...(sdk === "SDK 2 modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      ...listChanged(options),
    },
  );
  await client.connect(
    "url" in place ? new Http2(new URL(place.url), initOf(place)) : new Stdio2(commandOf(place)),
  );
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (call, given) =>
      (await client.callTool({ ...call }, { ...given } as object)) as ToolResult,
    close: () => client.close(),
  };
}

function initOf({ headers = {} }: Extract<ServerPlace, { url: string }>) {
  return { requestInit: { headers: { ...headers } } };
}

function listChanged({ onToolsChanged }: ConnectOptions) {
  if (onToolsChanged === undefined) return {};
  const onChanged = (_error: Error | null, tools: readonly { readonly name: string }[] | null) =>
    onToolsChanged((tools ?? []).map(({ name }) => name));
  return { listChanged: { tools: { onChanged, debounceMs: 0 } } };
}

function commandOf(place: Exclude<ServerPlace, { url: string }>) {
  const [command, args] =
    "command" in place
      ? [place.command, place.args]
      : [process.execPath, [compiledScript(place.script), ...(place.args ?? [])]];
  const env = "env" in place ? { env: place.env } : {};
  return { command, args: [...args], ...env, stderr: "ignore" as const };
}

/** Returns the compiled file of a script of this folder, for child processes. */
export function compiledScript(name: string): string {
  const path = fileURLToPath(new URL(`../../.build/test/toolkit/${name}.js`, import.meta.url));
  if (!existsSync(path)) {
    throw new Error(
      `Cannot start ${name}: .build/test/toolkit/${name}.js is missing. Run "npm run build" first.`,
    );
  }
  return path;
}
