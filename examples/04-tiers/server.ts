import { ContractError, type Tier } from "@foundry-mcp/contract";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { serveStdio } from "@foundry-mcp/toolkit/stdio";
import { z } from "zod";

const version = "3.2.8";

const securityScan = defineTool({
  name: "security_scan",
  version,
  description: "Looks for dangerous data flows in a file",
  input: z.object({ path: z.string(), cross_file: z.boolean().optional() }),
  output: z.object({ success: z.boolean(), risk_level: z.string(), findings: z.array(z.string()) }),
  readOnly: true,
  // Below the required tier, the scan runs without this feature and reports that the feature is missing.
  features: {
    cross_file: { tier: "enterprise", below: "omit", reason: "Flows across files need the enterprise tier" },
  },
  run: ({ cross_file }, ctx) => {
    const findings = cross_file && ctx.feature("cross_file") ? ["input of a.py reaches a query in b.py"] : [];
    return { success: true, risk_level: "high", findings };
  },
});

const extractCode = defineTool({
  name: "extract_code",
  version,
  description: "Takes one symbol out of a file",
  input: z.object({ path: z.string().describe('The file, such as "src/app.py"') }),
  readOnly: true,
  run: ({ path }) => {
    if (path !== "src/app.py")
      throw new ContractError(`File not found: ${path}.`, { errorCode: "NOT_FOUND" });
    return { symbol: "main", lines: 12 };
  },
});

const auditTrail = defineTool({
  name: "audit_trail",
  version,
  description: "Who scanned what",
  readOnly: true,
  tier: "pro",
  run: () => ({ scans: 1 }),
});

serveStdio(
  createRegistry({
    name: "scalpel",
    version,
    dialect: "envelope-v1",
    tier: process.argv[2] as Tier,
    tools: [securityScan, extractCode, auditTrail],
  }),
);
