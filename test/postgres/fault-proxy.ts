import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy between a server and its database that injects network faults. */
export interface FaultProxy {
  readonly port: number;
  /** The number of connections that were cut. */
  readonly cuts: number;
  /**
   * Cuts the connection at every n-th response, so that statements take effect without a response. The value 0
   * disables the cuts.
   */
  cutEvery(answers: number): void;
  /** Cuts all open connections. */
  cutAll(): void;
  /** Drops all packets silently. */
  setSilent(isSilent: boolean): void;
  close(): Promise<void>;
}

/** Opens a proxy to a local port. */
export async function openFaultProxy(to: number): Promise<FaultProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let every = 0;
  let answers = 0;
  let cuts = 0;
  let isSilent = false;

  const cut = (pair: readonly [Socket, Socket]) => {
    if (!pairs.delete(pair)) return;
    for (const socket of pair) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: to, host: "127.0.0.1", noDelay: true });
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on("error", () => cut(pair));
      socket.on("close", () => cut(pair));
    }
    near.on("data", (bytes) => {
      if (!isSilent) far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isSilent) return;
      answers += 1;
      if (every === 0 || answers % every !== 0) return void near.write(bytes);
      cuts += 1;
      // In every second cut, the first half of the response still arrives.
      if (cuts % 2 === 0) near.write(bytes.subarray(0, bytes.length >> 1), () => cut(pair));
      else cut(pair);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    cutEvery(count) {
      every = count;
    },
    cutAll() {
      for (const pair of pairs) cut(pair);
    },
    setSilent(value) {
      isSilent = value;
    },
    async close() {
      server.close();
      for (const pair of pairs) cut(pair);
      await once(server, "close");
    },
  };
}
