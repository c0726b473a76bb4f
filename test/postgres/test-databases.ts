import { describe, inject, it } from "vitest";
import { openPgliteServer, type PgliteServer } from "./pglite-server.ts";
import { needsConnections } from "./test-engine.ts";

export interface TestDatabase {
  readonly url: string;
  readonly engine: "PostgreSQL" | "PGlite";
  /** Whether it takes more than one connection: where it does not, a pool of one is to be used. */
  readonly isConcurrent: boolean;
  /** Cuts every connection and drops it. */
  close(): Promise<void>;
}

const { engine, desk } = inject("testEngine");

/** Whether databases of this run take more than one connection. */
export const isConcurrent: boolean = engine === "PostgreSQL";

/** An empty database, in the one engine of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const answer = (await askDesk("POST", desk)) as { readonly name: string; readonly url: string };
  if (!isConcurrent) return takePglite();
  const { name, url } = answer;
  const close = async () => void (await askDesk("DELETE", `${desk}/${name}`));
  return { url, engine, isConcurrent, close };
}

/** `describe` for what needs several connections: where the engine has one it is left out, and named at the end. */
export function describeConcurrent(name: string, define: () => void): void {
  if (isConcurrent) describe(name, define);
  else describe.skip(`${name} ${needsConnections}`, define);
}

/** `it` for what needs several connections: where the engine has one it is left out, and named at the end. */
export function itConcurrent(name: string, run: () => unknown, timeout?: number): void {
  if (isConcurrent) it(name, run, timeout);
  else it.skip(`${name} ${needsConnections}`, run, timeout);
}

let pglite: Promise<PgliteServer> | undefined;
let isTaken = false;

/** The same database again and again, emptied: PGlite takes seconds to start. */
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

async function askDesk(method: string, url: string): Promise<unknown> {
  const response = await fetch(url, { method });
  const answer = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new Error(`No test database: ${answer.message}`);
  return answer;
}
