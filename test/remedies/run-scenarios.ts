import { runScenario } from "./run-scenario.ts";
import { specScenarios } from "./spec-scenarios.ts";

// The scenarios run in a separate program, so that V8's coverage shows which remedies of the packages were reached.
const results: Record<string, readonly string[]> = {};
for (const scenario of specScenarios) results[scenario.name] = await runScenario(scenario);
process.stdout.write(JSON.stringify(results));
