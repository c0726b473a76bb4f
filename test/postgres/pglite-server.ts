import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { opening, toWireMessage, WireReader } from "./wire-messages.ts";

export interface PgliteServer {
  /** Where it takes one connection at a time, on 127.0.0.1. */
  readonly url: string;
  /** Cuts the connection and empties the database. */
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

// Schemas of extensions and of the system stay.
const empty = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
  CREATE SCHEMA public;
END $$`;

/**
 * Starts PGlite in this process, behind a port that speaks PostgreSQL's protocol.
 *
 * It has one session: a client that comes while another one is connected waits `patience` milliseconds for its end, then
 * it is refused. Settings that a client sends when it connects have no effect.
 */
export async function openPgliteServer(patience = 2_000): Promise<PgliteServer> {
  const { PGlite } = await import("@electric-sql/pglite");
  const db = await PGlite.create();
  const sockets = new Set<Socket>();
  let turn: Promise<unknown> = Promise.resolve();

  function take(socket: Socket): void {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    turn = Promise.all([turn, takeTurn(turn, socket)]);
  }
  async function takeTurn(before: Promise<unknown>, socket: Socket): Promise<void> {
    const isMine = await Promise.race([before.then(() => true), delay(patience, false, { ref: false })]);
    if (isMine) await converse(db, socket);
    else socket.end(isTaken);
  }

  const server = createServer({ noDelay: true }, take);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A test process does not wait for it.
  server.unref();
  const { port } = server.address() as AddressInfo;

  async function cut(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await turn;
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    clear: async () => {
      await cut();
      await db.exec(empty);
    },
    close: async () => {
      server.close();
      await cut();
      await db.close();
    },
  };
}

/** Carries what a client says and what PGlite answers, until the client is gone. */
async function converse(db: PGlite, socket: Socket): Promise<void> {
  const reader = new WireReader();
  try {
    for await (const piece of socket) {
      for (const { type, bytes } of reader.read(piece as Buffer)) {
        if (type === opening.tls || type === opening.gss) socket.write("N");
        else if (type === opening.cancel || type === "X") socket.end();
        else socket.write(await db.execProtocolRaw(bytes));
      }
    }
  } catch {
    socket.destroy();
  }
  // The next client finds a new session, whatever this one was in the middle of.
  await db.execProtocolRaw(toWireMessage("S"));
  for (const statement of ["ROLLBACK", "DISCARD ALL"])
    await db.execProtocolRaw(toWireMessage("Q", statement));
}
