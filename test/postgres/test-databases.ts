import { describe, inject, it } from "vitest";
import { openPgliteServer, type PgliteServer } from "./pglite-server.ts";
import { needsConnections } from "./test-engine.ts";

export interface TestDatabase {
  readonly url: string;
  readonly engine: "PostgreSQL" | "PGlite";
  /** True if the database accepts more than one connection. Otherwise, the pool must have only one connection. */
  readonly isConcurrent: boolean;
  /** Closes all connections and drops the database. */
  close(): Promise<void>;
}

const { engine, databaseServer } = inject("testEngine");

/** True if the databases of this run accept more than one connection. */
export const isConcurrent: boolean = engine === "PostgreSQL";

/** Creates an empty database in the engine of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const answer = (await requestDatabase("POST", databaseServer)) as {
    readonly name: string;
    readonly url: string;
  };
  if (!isConcurrent) return takePglite();
  const { name, url } = answer;
  const close = async () => void (await requestDatabase("DELETE", `${databaseServer}/${name}`));
  return { url, engine, isConcurrent, close };
}

/**
 * Defines a `describe` block for tests that need several connections. If the engine has only one connection, the
 * tests are skipped and listed at the end.
 */
export function describeConcurrent(name: string, define: () => void): void {
  if (isConcurrent) describe(name, define);
  else describe.skip(`${name} ${needsConnections}`, define);
}

/**
 * Defines a test that needs several connections. If the engine has only one connection, the test is skipped and
 * listed at the end.
 */
export function itConcurrent(name: string, run: () => unknown, timeout?: number): void {
  if (isConcurrent) it(name, run, timeout);
  else it.skip(`${name} ${needsConnections}`, run, timeout);
}

let pglite: Promise<PgliteServer> | undefined;
let isTaken = false;

/** Empties and reuses a single PGlite instance, because starting an instance takes seconds. */
async function takePglite(): Promise<TestDatabase> {
  if (isTaken)
    throw new Error(
      "PGlite has one database, and it is taken. Close the other one, or use describeConcurrent.",
    );
  isTaken = true;
  pglite ??= openPgliteServer();
  const server = await pglite;
  await server.clear();
  const close = async () => {
    await server.clear();
    isTaken = false;
  };
  return { url: server.url, engine, isConcurrent, close };
}

async function requestDatabase(method: string, url: string): Promise<unknown> {
  const response = await fetch(url, { method });
  const answer = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new Error(`No test database: ${answer.message}`);
  return answer;
}
