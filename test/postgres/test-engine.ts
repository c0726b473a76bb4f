declare module "vitest" {
  interface ProvidedContext {
    /** What tests of PostgreSQL run on. */
    readonly testEngine: TestEngine;
  }
}

/** The engine of a run, as test processes are told of it. */
export interface TestEngine {
  readonly engine: "PostgreSQL" | "PGlite";
  /** Where databases are handed out. */
  readonly desk: string;
}

/** What stands behind the name of a test that is left out because the engine has one connection. */
export const needsConnections = "(needs several connections)";
