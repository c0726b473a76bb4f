import { connect } from "node:net";

/** The response to a request as it was sent over the connection. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request in which the test controls every line. Some lines are lines that no client library would send. */
export interface RawRequest {
  readonly method: string;
  /** The request target, which is a path or a whole URL. */
  readonly target: string;
  /** Header lines. `Connection: close` and the length are added. */
  readonly headers: readonly string[];
  readonly body?: string;
  /**
   * The version of HTTP.
   * @default "1.1"
   */
  readonly version?: "1.0" | "1.1";
}

/** Sends a request over a separate connection, and reads until the first response is complete. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method, target, headers, body: sent = "", version = "1.1" } = request;
  const length = sent === "" ? [] : [`Content-Length: ${Buffer.byteLength(sent)}`];
  const socket = connect(port, "127.0.0.1");
  socket.write(
    [`${method} ${target} HTTP/${version}`, ...headers, ...length, "Connection: close", "", sent].join(
      "\r\n",
    ),
  );
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      // An event stream stays open, so only its headers are read.
      if (/^content-type: text\/event-stream/im.test(Buffer.concat(chunks).toString())) break;
    }
  } catch (err) {
    // A server may reset a connection if it cannot parse the request.
    if ((err as NodeJS.ErrnoException).code !== "ECONNRESET") throw err;
  }
  socket.destroy();
  const text = Buffer.concat(chunks).toString();
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    body: /^transfer-encoding: chunked/im.test(head) ? joinChunks(body) : body,
  };
}

/** Joins the chunks of an ASCII body. */
function joinChunks(body: string): string {
  const [, length = "", rest = ""] = /^([0-9a-f]+)\r\n(.*)$/is.exec(body) ?? [];
  const size = Number.parseInt(length || "0", 16);
  return size === 0 ? "" : rest.slice(0, size) + joinChunks(rest.slice(size + 2));
}
