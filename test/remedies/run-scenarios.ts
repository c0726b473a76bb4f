import { runScenario } from "./run-scenario.ts";
import { specScenarios } from "./spec-scenarios.ts";

// A program of its own: V8 counts which remedies of the packages it reached.
const results: Record<string, readonly string[]> = {};
for (const scenario of specScenarios) results[scenario.name] = await runScenario(scenario);
process.stdout.write(JSON.stringify(results));
