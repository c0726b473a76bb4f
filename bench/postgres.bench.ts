import type { Bench } from "./report.ts";

/** What the calls of the spec server cost on PostgreSQL, against files, and with several servers. */
export const postgres: Bench = {
  name: "postgres",
  title: "specs and tasks on PostgreSQL",
  run: async (options) => {
    // What is served to people: without the checks of our own answers that development has.
    const mode = process.env["NODE_ENV"];
    process.env["NODE_ENV"] = "production";
    // Neither PostgreSQL nor its driver is needed by other benches.
    const { runAll } = await import("./postgres/run-all.ts");
    try {
      return await runAll(options);
    } finally {
      if (mode === undefined) delete process.env["NODE_ENV"];
      else process.env["NODE_ENV"] = mode;
    }
  },
};
