import { spawn } from "node:child_process";
import { once } from "node:events";
import { plantedSecret } from "./failing-tools.ts";
import { compiledScript } from "./sdk-clients.ts";

/** A received JSON-RPC message. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | null;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A JSON-RPC client without an SDK, which can also send messages that an SDK would refuse. */
export interface RawPeer {
  request(method: string, params: object): Promise<RpcMessage>;
  /** Sends a request whose params are already JSON. */
  requestText(method: string, params: string): Promise<RpcMessage>;
  close(): Promise<void>;
}

export type Era = "legacy" | "modern";

const clientInfo = { name: "raw", version: "1.0.0" };
const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };

/** The metadata of every request of 2026-07-28, which replaces a session. */
const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A raw connection over stdio. `strays` are lines of stdout that are not JSON-RPC. */
export interface RawStdio extends RawPeer {
  readonly strays: readonly string[];
  /** The output of the process on stderr so far. */
  readonly stderr: string;
  /** Writes any line. */
  writeLine(line: string | Uint8Array): void;
  /** The exit code, or null while the process runs. */
  readonly exitCode: number | null;
}

/** Starts a compiled script of this folder with a secret in its environment. */
export async function openRawStdio(
  script: string,
  era: Era,
  args: readonly string[] = [],
): Promise<RawStdio> {
  const child = spawn(process.execPath, [compiledScript(script), ...args], {
    env: { ...process.env, MATRIX_SECRET: plantedSecret },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const waiting = new Map<
    number,
    { resolve: (message: RpcMessage) => void; reject: (error: Error) => void }
  >();
  const strays: string[] = [];
  let stderr = "";
  let nextId = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = parseMessage(line);
      if (message === undefined) strays.push(line);
      else if (typeof message.id === "number" && message.method === undefined) {
        waiting.get(message.id)?.resolve(message);
        waiting.delete(message.id);
      }
    }
  });
  const ended = once(child, "close").then(() => {
    for (const { reject } of waiting.values())
      reject(new Error(`The server ended (${child.exitCode}): ${stderr}`));
  });
  const requestText = (method: string, params: string) =>
    new Promise<RpcMessage>((resolve, reject) => {
      nextId += 1;
      waiting.set(nextId, { resolve, reject });
      child.stdin.write(`{"jsonrpc":"2.0","id":${nextId},"method":"${method}","params":${params}}\n`);
    });
  const request = (method: string, params: object) =>
    requestText(method, JSON.stringify(withMeta(params, era)));
  if (era === "legacy") {
    await request("initialize", initialize);
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  return {
    request,
    requestText,
    strays,
    get stderr() {
      return stderr;
    },
    get exitCode() {
      return child.exitCode;
    },
    writeLine(line) {
      child.stdin.write(line);
      child.stdin.write("\n");
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Opens a raw connection to `/mcp`, with a session for the protocol versions of 2025. */
export async function openRawHttp(url: string, era: Era): Promise<RawPeer> {
  let session: string | undefined;
  let nextId = 0;
  const post = (body: string, headers: Record<string, string>) =>
    fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === undefined ? {} : { "mcp-session-id": session }),
        "mcp-protocol-version": era === "modern" ? "2026-07-28" : "2025-11-25",
        ...headers,
      },
    });
  const requestText = async (method: string, params: string, name?: unknown) => {
    nextId += 1;
    const headers = era === "modern" ? { "mcp-method": method, "mcp-name": toHeaderText(name) } : {};
    const response = await post(
      `{"jsonrpc":"2.0","id":${nextId},"method":"${method}","params":${params}}`,
      headers,
    );
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return readAnswer(response);
  };
  const request = (method: string, params: object) => {
    const { name, uri } = params as { readonly name?: unknown; readonly uri?: unknown };
    // The header repeats the name. It cannot contain a lone surrogate, so such a name matches nothing.
    const sent =
      typeof name === "string" && era === "modern" ? { ...params, name: name.toWellFormed() } : params;
    return requestText(method, JSON.stringify(withMeta(sent, era)), name ?? uri);
  };
  if (era === "legacy") {
    await request("initialize", initialize);
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', {});
  }
  return {
    request,
    requestText,
    async close() {
      if (session !== undefined) {
        await fetch(url, { method: "DELETE", headers: { "mcp-session-id": session } });
      }
    },
  };
}

function withMeta(params: object, era: Era): object {
  const { _meta } = params as { readonly _meta?: object };
  return era === "modern" ? { ...params, _meta: { ..._meta, ...modernMeta } } : params;
}

/** Encodes a header value. Everything except printable ASCII is sent in base64. */
export function toHeaderText(name: unknown): string {
  const text = String(name);
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${Buffer.from(text.toWellFormed()).toString("base64")}?=`;
}

/** Reads the message in a response, either from JSON or from the end of a stream. */
async function readAnswer(response: Response): Promise<RpcMessage> {
  const body = await response.text();
  const texts = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? // Only these end a line of a stream; U+2028 does not, although it does for a regular expression.
      body.split(/\r\n|\n|\r/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []))
    : [body];
  const answer = texts
    .map(parseMessage)
    .find((message) => message?.result !== undefined || message?.error !== undefined);
  if (answer === undefined)
    throw new Error(`No JSON-RPC answer in ${response.status}: ${body.slice(0, 500)}`);
  return answer;
}

function parseMessage(text: string): RpcMessage | undefined {
  try {
    const message = JSON.parse(text) as RpcMessage;
    return message.jsonrpc === "2.0" ? message : undefined;
  } catch {
    return undefined;
  }
}
