import type { Failure, UnknownRecord } from "@foundry-mcp/contract";
import { type Implementation, type Progress, ProtocolError } from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { anyResult, type OpenClient, openClient } from "./open-client.ts";
import { openTransport } from "./open-transport.ts";

/** The unmodified reply to a request. */
export type RawReply =
  | { readonly kind: "result"; readonly result: unknown }
  /** A JSON-RPC error of the server. */
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly data: unknown }
  /** No readable reply; the failure gives the reason. */
  | { readonly kind: "none"; readonly failure: Failure };

/** The options of one request. */
export interface RawRequestOptions {
  /** In milliseconds. @default the timeout of the connection */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A connection whose replies are neither validated nor converted. */
export interface RawConnection extends AsyncDisposable {
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: UnknownRecord | undefined;
  readonly protocolVersion: string | undefined;
  /** False once the connection is closed. */
  isOpen(): boolean;
  /** Sends any request of the protocol; never throws. */
  request(method: string, params?: UnknownRecord, options?: RawRequestOptions): Promise<RawReply>;
  /** Ends the connection, and the server process where `connectRaw` started one; a second call does nothing. */
  close(): Promise<void>;
}

/** A target of a raw connection: anything that speaks MCP. */
export type RawTarget = Parameters<typeof openTransport>[0];

/**
 * Connects to a server and returns its replies unmodified, for programs that check or translate them; other
 * programs use `connect`. Throws a ContractError where the server cannot be reached.
 *
 * @example
 * await using connection = await connectRaw({ command: "npx", args: ["some-mcp-server"] });
 * const reply = await connection.request("tools/list");
 */
export async function connectRaw(target: RawTarget, options: ConnectOptions = {}): Promise<RawConnection> {
  const opened = await openClient(() => openTransport(target, options), options);
  return toRawConnection(opened, options);
}

function toRawConnection({ client, isOpen, close }: OpenClient, options: ConnectOptions): RawConnection {
  async function request(
    method: string,
    params: UnknownRecord = {},
    { timeoutMs, signal, onProgress }: RawRequestOptions = {},
  ): Promise<RawReply> {
    try {
      const result = await client.request({ method, params }, anyResult, {
        timeout: toTimeout(timeoutMs, options.timeoutMs),
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      });
      return { kind: "result", result };
    } catch (thrown) {
      if (thrown instanceof ProtocolError && isOpen() && !isLost(thrown)) {
        const { code, message, data } = thrown;
        return { kind: "error", code, message, data };
      }
      return { kind: "none", failure: readProtocolError(thrown, { signal }) };
    }
  }
  return {
    get serverInfo() {
      return client.getServerVersion();
    },
    get capabilities() {
      return client.getServerCapabilities() as UnknownRecord | undefined;
    },
    get protocolVersion() {
      return client.getNegotiatedProtocolVersion();
    },
    isOpen,
    request,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** True for the error that a transport creates when the reply breaks off: the server did not send it. */
function isLost({ code, message }: ProtocolError): boolean {
  return code === -32_000 && message === "Connection closed";
}
