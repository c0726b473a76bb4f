import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EngineChoice } from "./choose-engine.ts";
import { DatabaseFactory } from "./database-factory.ts";

export interface TestDatabaseServer {
  /** The URL to which test processes POST to get a database. They send DELETE to `<url>/<name>` to drop it. */
  readonly url: string;
  /** Stops the engine, and returns its name if it was used. */
  close(): Promise<string | undefined>;
}

/**
 * Provides databases for all test processes of a run. All databases are in one engine, which is started on demand.
 */
export async function openTestDatabaseServer(choice: EngineChoice): Promise<TestDatabaseServer> {
  const factory = choice.kind === "pglite" ? undefined : new DatabaseFactory(choice);
  let isUsed = false;
  // The path is secret, because the URLs of databases may contain a password.
  const path = `/${randomUUID()}`;

  async function answer(method: string | undefined, place: string): Promise<unknown> {
    if (method === "POST" && place === path) {
      isUsed = true;
      // PGlite accepts only one client, so each process starts its own instance.
      return (await factory?.create()) ?? {};
    }
    if (method === "DELETE" && place.startsWith(`${path}/`)) {
      await factory?.drop(place.slice(path.length + 1));
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
      if (factory) return factory.close();
      return isUsed ? "PGlite, which has one connection" : undefined;
    },
  };
}
