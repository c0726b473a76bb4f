import { createServer } from "node:net";

/** The number of ports to try after the port that is in use. After these ports, any free port is accepted. */
const attempts = 20;
const maxPort = 65_535;

/** Returns the port if a server can listen there now, else a free port after it; undefined if there is none. */
export async function findPort(host: string, wanted: number): Promise<number | undefined> {
  return (await tryToListen(host, wanted)) === undefined ? findFreePort(host, wanted) : wanted;
}

/** Finds a port after `taken` on which a server can listen now. Returns undefined if there is none. */
export async function findFreePort(host: string, taken: number): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + attempts, maxPort); port += 1)
    if ((await tryToListen(host, port)) !== undefined) return port;
  return tryToListen(host, 0);
}

/** Listens briefly on a port. Returns the port, or undefined if listening fails. */
function tryToListen(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
