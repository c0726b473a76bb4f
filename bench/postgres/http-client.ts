import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import type { Arguments } from "../specs/warm-server.ts";

/** An HTTP client of a server, with one connection for each concurrent call. */
export interface HttpClient {
  /** Calls a tool. Throws if the call fails, so that failures are not measured. */
  call(tool: string, args: Arguments): Promise<string>;
  /** Returns the number of bytes sent to and received from the server. */
  bytes(): number;
  close(): void;
}

/** Creates a client that keeps its connections open. */
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
        // The server closed the idle connection while the request was being sent.
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
