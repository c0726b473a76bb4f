import { dialects, type RuleLevel } from "@foundry-mcp/contract";
import { z } from "zod";
import type { RuleStatus } from "../findings/check-report.ts";
import { profiles } from "../rules/profiles.ts";
import { type Area, areas } from "../rules/rule.ts";
import type { CheckerRuleId } from "../rules/rules.ts";

const count = z.int().min(0);
/**
 * The schema of a rule id is a pattern instead of an enum, because a list of all ids would double the size of the
 * tool definition.
 */
const rule = z.string().regex(/^[A-Z]+\d?-\d{2}$/) as unknown as z.ZodType<CheckerRuleId>;
const level = z.enum(["MUST", "SHOULD", "MAY"] satisfies readonly RuleLevel[]);
const statuses = [
  "passed",
  "failed",
  "warned",
  "noted",
  "not_checked",
  "not_applicable",
] as const satisfies readonly RuleStatus[];
const area = z.enum(Object.keys(areas) as [Area, ...Area[]]);

const ruleResultSchema = z.object({
  rule,
  area,
  level,
  title: z.string(),
  status: z.enum(statuses),
  checks: count,
  broken: count,
  reason: z.string().optional(),
});

const findingSchema = z.object({
  rule,
  level,
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  path: z.string().optional(),
  message: z.string(),
  evidence: z.string().optional(),
  remedy: z.string(),
});

const coverageSchema = z.object({
  tool: z.string(),
  status: z.enum(["checked", "no_data", "not_checked"]),
  calls: count,
  successes: count,
  failures: count,
  unseen_actions: z.array(z.string()).optional(),
  reason: z.string().optional(),
});

/** The output schema of `contract check`. A test compares the schema with `CheckReport`. */
export const checkReportSchema = z.object({
  verdict: z.enum(["passed", "failed", "incomplete"]),
  server: z.object({
    target: z.string(),
    name: z.string().optional(),
    version: z.string().optional(),
    protocol_version: z.string().optional(),
  }),
  profile: z.enum(profiles),
  dialect: z.enum(dialects),
  counts: z.record(z.enum(statuses), count),
  calls: count,
  rules: z.array(ruleResultSchema),
  findings: z.array(findingSchema),
  tools: z.array(coverageSchema),
  unchecked: z.array(z.object({ what: z.string(), reason: z.string() })),
  wrapping: z.object({ adds: z.array(rule), fixes: z.array(rule) }).optional(),
  duration_ms: z.number().min(0),
});
