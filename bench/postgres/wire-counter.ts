import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to a database that counts the bytes of the traffic. */
export interface WireCounter {
  /** The address of the proxy. */
  readonly url: string;
  /** Returns the number of bytes in both directions. */
  bytes(): number;
  close(): void;
}

/** Listens on the loopback interface, and forwards everything to the socket of a database on this machine. */
export async function openWireCounter(database: string): Promise<WireCounter> {
  const target = new URL(database);
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.${target.port}`;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(path);
    sockets.add(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      // If one end closes or fails, the other end is closed too.
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}${target.pathname}`,
    bytes: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
