import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EngineChoice } from "./choose-engine.ts";
import { DatabaseMaker } from "./database-maker.ts";

export interface DatabaseDesk {
  /** Where test processes ask for a database: POST here, DELETE its name below. */
  readonly url: string;
  /** Ends the engine, and says which one was used, if any was. */
  close(): Promise<string | undefined>;
}

/** Hands out databases to every test process of a run, from one engine that starts when the first is asked for. */
export async function openDatabaseDesk(choice: EngineChoice): Promise<DatabaseDesk> {
  const maker = choice.kind === "pglite" ? undefined : new DatabaseMaker(choice);
  let isUsed = false;
  // Not for everybody on this machine: a URL that is handed out may hold a password.
  const path = `/${randomUUID()}`;

  async function answer(method: string | undefined, place: string): Promise<unknown> {
    if (method === "POST" && place === path) {
      isUsed = true;
      // PGlite takes hundreds of megabytes and one client: each process starts its own.
      return (await maker?.create()) ?? {};
    }
    if (method === "DELETE" && place.startsWith(`${path}/`)) {
      await maker?.drop(place.slice(path.length + 1));
      return {};
    }
    throw new Error("Nothing is there.");
  }
  const server = createServer((request, response) => {
    answer(request.method, request.url ?? "").then(
      (value) => response.end(JSON.stringify(value)),
      (error: Error) => response.writeHead(500).end(JSON.stringify({ message: error.message })),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (maker) return maker.close();
      return isUsed ? "PGlite, which has one connection" : undefined;
    },
  };
}
