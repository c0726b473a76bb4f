import { connect } from "node:net";

/** The answer to a request as it was sent over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request whose every line is the test's own: what no client library would send. */
export interface RawRequest {
  readonly method: string;
  /** The request target: a path, or a whole URL. */
  readonly target: string;
  /** Header lines; `Connection: close` and the length are added. */
  readonly headers: readonly string[];
  readonly body?: string;
  /** @default "1.1" */
  readonly version?: "1.0" | "1.1";
}

/** Sends a request over a connection of its own, and reads until the first answer is whole. */
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
      // An event stream stays open: its head is all that is waited for.
      if (/^content-type: text\/event-stream/im.test(Buffer.concat(chunks).toString())) break;
    }
  } catch (err) {
    // A server may reset a connection whose request it cannot read.
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

/** Joins the chunks of a body in ASCII. */
function joinChunks(body: string): string {
  const [, length = "", rest = ""] = /^([0-9a-f]+)\r\n(.*)$/is.exec(body) ?? [];
  const size = Number.parseInt(length || "0", 16);
  return size === 0 ? "" : rest.slice(0, size) + joinChunks(rest.slice(size + 2));
}
