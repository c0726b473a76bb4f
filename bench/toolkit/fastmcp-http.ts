import { once } from "node:events";
import { createServer } from "node:net";
import { createFastMcpServer } from "./fastmcp-server.ts";
import { tellPort } from "./tell-port.ts";

const port = await findFreePort();
await createFastMcpServer().start({ transportType: "httpStream", httpStream: { host: "127.0.0.1", port } });
tellPort(port);

/** Finds a free port, because fastmcp does not report the port that it was assigned. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("Cannot find a free port.");
  return address.port;
}
