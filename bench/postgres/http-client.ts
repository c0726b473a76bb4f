import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import type { Arguments } from "../specs/warm-server.ts";

/** A client of a server over HTTP, with as many connections as it makes calls at one time. */
export interface HttpClient {
  /** Calls a tool; a failure throws, so that nobody measures how fast it is. */
  call(tool: string, args: Arguments): Promise<string>;
  /** Bytes that went to the server and came from it. */
  bytes(): number;
  close(): void;
}

/** Makes a client that keeps its connections. */
export function createHttpClient(origin: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  const send = (url: string, body: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request(url, { agent, method: "POST", headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`A call failed: ${text.slice(0, 400)}`));
        });
      });
      sent.on("socket", (socket) => sockets.add(socket));
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // Nobody used it for a while, and the server closed it as this was sent.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(send(url, body));
        else reject(error);
      });
      sent.end(body);
    });
  return {
    call: (tool, args) => send(`${origin}/api/tools/${tool}`, JSON.stringify(args)),
    bytes: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    close: () => agent.destroy(),
  };
}
