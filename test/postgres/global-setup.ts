import type { TestProject } from "vitest/node";
import { chooseEngine } from "./choose-engine.ts";
import { openTestDatabaseServer } from "./test-database-server.ts";
import { needsConnections } from "./test-engine.ts";

/**
 * Chooses the engine of a test run. At the end, prints the engine that was used and the tests that were skipped
 * because of it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const choice = chooseEngine(process.env);
  // DATABASE_URL is only for PostgreSQL tests. Programs in other tests would store their specs in that database.
  delete process.env["DATABASE_URL"];
  const databaseServer = await openTestDatabaseServer(choice);
  const engine = choice.kind === "pglite" ? "PGlite" : "PostgreSQL";
  project.provide("testEngine", { engine, databaseServer: databaseServer.url });
  return async () => {
    const used = await databaseServer.close();
    if (used) process.stdout.write(`PostgreSQL tests ran on ${used}\n`);
    const left = engine === "PGlite" ? listLeftOut(project) : [];
    if (left.length > 0)
      process.stdout.write(
        `PGlite could not run ${left.length} of them, for want of a second connection:\n${left.join("")}`,
      );
  };
}

function listLeftOut(project: TestProject): readonly string[] {
  return project.vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests("skipped")])
    .filter(({ fullName }) => fullName.includes(needsConnections))
    .map(({ module, fullName }) => `  ${module.relativeModuleId}: ${fullName}\n`);
}
