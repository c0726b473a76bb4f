import type { Bench } from "./report.ts";

/** Measures the calls of the spec server on PostgreSQL, compared with files, and with several servers. */
export const postgres: Bench = {
  name: "postgres",
  title: "specs and tasks on PostgreSQL",
  run: async (options) => {
    // The bench runs in production mode, without the output checks that are enabled in development.
    const mode = process.env["NODE_ENV"];
    process.env["NODE_ENV"] = "production";
    // The module is imported on demand, because other benches need neither PostgreSQL nor its driver.
    const { runAll } = await import("./postgres/run-all.ts");
    try {
      return await runAll(options);
    } finally {
      if (mode === undefined) delete process.env["NODE_ENV"];
      else process.env["NODE_ENV"] = mode;
    }
  },
};
