import type { TestProject } from "vitest/node";
import { chooseEngine } from "./choose-engine.ts";
import { openDatabaseDesk } from "./database-desk.ts";
import { needsConnections } from "./test-engine.ts";

/** Chooses the engine of a run; at its end says which one tests have used, and what it could not run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const choice = chooseEngine(process.env);
  // For tests of PostgreSQL alone: programs that other tests start would put their specs there.
  delete process.env["DATABASE_URL"];
  const desk = await openDatabaseDesk(choice);
  const engine = choice.kind === "pglite" ? "PGlite" : "PostgreSQL";
  project.provide("testEngine", { engine, desk: desk.url });
  return async () => {
    const used = await desk.close();
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
