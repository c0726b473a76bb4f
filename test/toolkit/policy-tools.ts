import { action, defineTool, type RegistryOptions } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** Tools that require flags, tiers and roles, for the tests of the policies. */
export const policyTools: RegistryOptions["tools"] = [
  defineTool({
    name: "ledger",
    version: "1.4.0",
    description: "Entries to read and write",
    actions: {
      read: action({ description: "Changes nothing", readOnly: true, run: () => ({ entries: 3 }) }),
      write: action({ description: "Changes something", run: () => ({ entries: 4 }) }),
    },
  }),
  defineTool({
    name: "report",
    version: "1.4.0",
    description: "A report whose depth depends on the tier",
    input: z.object({ depth: z.enum(["plain", "trends", "forecast"]).default("plain") }),
    readOnly: true,
    features: {
      trends: { tier: "pro", below: "omit", reason: "Trends need the pro tier" },
      forecast: { tier: "enterprise", reason: "Forecasts need the enterprise tier" },
    },
    run: ({ depth }, ctx) => ({ depth: depth === "plain" || ctx.feature(depth) ? depth : "plain" }),
  }),
  defineTool({
    name: "archive_all",
    version: "1.4.0",
    description: "A whole tool of a higher tier",
    tier: "enterprise",
    run: () => ({ archived: true }),
  }),
  defineTool({
    name: "beta",
    version: "1.4.0",
    description: "Behind a flag",
    readOnly: true,
    flag: "beta_reports",
    run: () => ({ beta: true }),
  }),
  defineTool({
    name: "old",
    version: "1.4.0",
    description: "Behind a flag that is on its way out",
    readOnly: true,
    flag: "old_reports",
    run: () => ({ old: true }),
  }),
  defineTool({
    name: "unflagged",
    version: "1.4.0",
    description: "Behind a flag that nothing defines",
    readOnly: true,
    flag: "nobody_knows",
    run: () => ({}),
  }),
];

/** The flags of these tools, in the format of `openFlags`. */
export const policyFlags = {
  beta_reports: {
    description: "Reports in beta",
    state: "beta",
    default: true,
    owner: "reports",
    block: ["matrix-sdk-1"],
  },
  old_reports: { description: "Reports of old", state: "deprecated", default: true },
  response_contract_v2: { description: "Answers in response-v2", state: "stable", default: true },
} as const;
