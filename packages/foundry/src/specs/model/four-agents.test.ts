import { test } from "vitest";
import { proveFourAgents } from "./testing/four-agents.ts";

test("four agents are never given a verify node before its work, nor anything twice, and all work ends", () => {
  proveFourAgents(30);
});
