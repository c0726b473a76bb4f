import { test } from "vitest";
import { proveFourAgents } from "./testing/four-agents.ts";

test("four agents are never given a verify node before its work, nor anything twice, and all work ends", () => {
  proveFourAgents(Number(process.env["PROVE_RUNS"] ?? 1_000));
}, 600_000);
