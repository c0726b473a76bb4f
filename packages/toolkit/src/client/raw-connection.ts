import type { Failure, UnknownRecord } from "@foundry-mcp/contract";
import { type Implementation, type Progress, ProtocolError } from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { anyResult, type OpenClient, openClient } from "./open-client.ts";
import { openTransport } from "./open-transport.ts";

/** What came back of a request, as it came. */
export type RawReply =
  | { readonly kind: "result"; readonly result: unknown }
  /** A JSON-RPC error of the server's. */
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly data: unknown }
  /** No answer that could be read; the failure says why. */
  | { readonly kind: "none"; readonly failure: Failure };

/** How to make one request. */
export interface RawRequestOptions {
  /** @default the connection's */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A server as it is: nothing it answers is held against a schema or made into something else. */
export interface RawConnection extends AsyncDisposable {
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: UnknownRecord | undefined;
  readonly protocolVersion: string | undefined;
  /** False once no request can get through any more. */
  isOpen(): boolean;
  /** Sends any request of the protocol; never throws. */
  request(method: string, params?: UnknownRecord, options?: RawRequestOptions): Promise<RawReply>;
  /** Ends the connection, and the server where it was started for it; a second time does nothing. */
  close(): Promise<void>;
}

/** What a raw connection can be made to: whatever speaks MCP. */
export type RawTarget = Parameters<typeof openTransport>[0];

/**
 * Connects to a server to see its answers as they are, for those who judge or translate them; everybody
 * else wants `connect`. Throws a ContractError when there is no server to talk to.
 *
 * @example
 * await using connection = await connectRaw({ command: "npx", args: ["some-mcp-server"] });
 * const reply = await connection.request("tools/list");
 */
export async function connectRaw(target: RawTarget, options: ConnectOptions = {}): Promise<RawConnection> {
  const opening = await openClient(() => openTransport(target, options), options);
  return toRawConnection(opening, options);
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

/** What a transport makes of a request whose answer broke off: no server has said it. */
function isLost({ code, message }: ProtocolError): boolean {
  return code === -32_000 && message === "Connection closed";
}
