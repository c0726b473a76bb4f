import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * An attacker's site on loopback. The site serves the hostile page, and answers every other request without
 * protection.
 */
export interface HostileSite {
  readonly port: number;
  /** All requests except requests for the page, with their method, path, attempt and body. */
  readonly requests: readonly { method: string; path: string; attempt: string; body: string }[];
  close(): Promise<void>;
}

const script = readFileSync(new URL("attack-page.js", import.meta.url), "utf8");
const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
  "/page": ["text/html", '<!doctype html><title>page</title><body><script src="/attack.js"></script>'],
  "/attack.js": ["text/javascript", script],
};

/** The site's answer to any attempt. */
export const openAnswer = "an answer that any page may read";

/** Starts the site. It has no protection, so an attempt that does not reach it is not a valid attempt. */
export async function openHostileSite(): Promise<HostileSite> {
  const requests: { method: string; path: string; attempt: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    const open = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    const [type, content] = files[pathname] ?? [];
    if (type !== undefined) return void response.writeHead(200, { "content-type": type }).end(content);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "" } = request;
    requests.push({ method, path: pathname, attempt: searchParams.get("as") ?? "", body });
    response.writeHead(200, { ...open, "content-type": "text/plain" }).end(openAnswer);
  });
  server.on("upgrade", (request, socket) => {
    const { searchParams, pathname } = new URL(request.url ?? "/", "http://site");
    requests.push({ method: "GET", path: pathname, attempt: searchParams.get("as") ?? "", body: "" });
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
