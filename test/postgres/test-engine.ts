declare module "vitest" {
  interface ProvidedContext {
    /** The engine of PostgreSQL tests. */
    readonly testEngine: TestEngine;
  }
}

/** The engine of a run, as provided to test processes. */
export interface TestEngine {
  readonly engine: "PostgreSQL" | "PGlite";
  /** The URL of the test database server. */
  readonly databaseServer: string;
}

/** The suffix of tests that are skipped because the engine has one connection. */
export const needsConnections = "(needs several connections)";
