import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { opening, toWireMessage, WireReader } from "./wire-messages.ts";

export interface PgliteServer {
  /** The URL of the server, which accepts one connection at a time. */
  readonly url: string;
  /** Closes the connection and empties the database. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const isTaken = toWireMessage(
  "E",
  ...[
    "SFATAL",
    "VFATAL",
    "C53300",
    "MPGlite has one connection, and it is taken: use a pool of one, and close it",
    "",
  ],
);

// System schemas are kept.
const empty = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
  CREATE SCHEMA public;
END $$`;

/**
 * Starts PGlite in this process, behind a port that speaks PostgreSQL's protocol.
 *
 * PGlite has one session. A second client waits at most `waitMs` milliseconds for the end of the first session, and
 * is then refused. Settings in a client's startup message have no effect.
 */
export async function openPgliteServer(waitMs = 2_000): Promise<PgliteServer> {
  const { PGlite } = await import("@electric-sql/pglite");
  const db = await PGlite.create();
  const sockets = new Set<Socket>();
  let queue: Promise<unknown> = Promise.resolve();

  function accept(socket: Socket): void {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    queue = Promise.all([queue, serveInTurn(queue, socket)]);
  }
  async function serveInTurn(before: Promise<unknown>, socket: Socket): Promise<void> {
    const isMine = await Promise.race([before.then(() => true), delay(waitMs, false, { ref: false })]);
    if (isMine) await serve(db, socket);
    else socket.end(isTaken);
  }

  const server = createServer({ noDelay: true }, accept);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The server does not keep the test process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;

  async function closeSockets(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await queue;
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    clear: async () => {
      await closeSockets();
      await db.exec(empty);
    },
    close: async () => {
      server.close();
      await closeSockets();
      await db.close();
    },
  };
}

/** Forwards messages between a client and PGlite until the client disconnects. */
async function serve(db: PGlite, socket: Socket): Promise<void> {
  const reader = new WireReader();
  try {
    for await (const chunk of socket) {
      for (const { type, bytes } of reader.read(chunk as Buffer)) {
        if (type === opening.tls || type === opening.gss) socket.write("N");
        else if (type === opening.cancel || type === "X") socket.end();
        else socket.write(await db.execProtocolRaw(bytes));
      }
    }
  } catch {
    socket.destroy();
  }
  // Resets the session for the next client.
  await db.execProtocolRaw(toWireMessage("S"));
  for (const statement of ["ROLLBACK", "DISCARD ALL"])
    await db.execProtocolRaw(toWireMessage("Q", statement));
}
