import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/client";
import { McpServer, ProtocolError } from "@modelcontextprotocol/server";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { createLedgerTools, type LedgerOutcome, type LedgerTool } from "./ledger-tools.ts";

/** An output schema that allows both forms, as alternatives below the root. */
const outputSchema = {
  type: "object",
  oneOf: [
    { properties: { success: { const: true }, error: { type: "null" } }, required: ["success", "error"] },
    { properties: { success: { const: false }, error: { type: "string" } }, required: ["success", "error"] },
  ],
};

const toInputSchema = ({ properties, required }: LedgerTool) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/**
 * Serves a correct server on SDK 2.x. The server reads and writes, never pages, and includes the time in its answers.
 */
export async function serveLedger(transport: Transport): Promise<void> {
  const tools = createLedgerTools();
  const ajv = new Ajv2020();
  const { server } = new McpServer({ name: "ledger", version: "0.9.1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [...tools].map(([name, tool]) => ({
      name,
      title: name.replace("_", " "),
      description: tool.description,
      inputSchema: toInputSchema(tool),
      outputSchema,
      annotations: tool.annotations,
      ...(tool.meta === undefined ? {} : { _meta: tool.meta }),
    })) as never,
  }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    const asked = mcpReq._meta?.["foundry-mcp/request_id"];
    const meta = { version: "response-v2", request_id: typeof asked === "string" ? asked : randomUUID() };
    const tool = tools.get(name);
    if (tool === undefined) {
      const failure = refuse("tool", `Unknown tool: ${name}`, [...tools.keys()]);
      throw new ProtocolError(-32602, `Unknown tool: ${name}`, toEnvelope(failure, meta));
    }
    const args = Object.fromEntries(
      Object.entries(given).filter(([key, value]) => value !== null || !(key in tool.properties)),
    );
    const validate = ajv.compile(toInputSchema(tool));
    const outcome = validate(args) ? tool.run(args) : refuseFirst(validate.errors?.[0]);
    const envelope = toEnvelope(outcome, meta);
    const content = [{ type: "text" as const, text: JSON.stringify(envelope) }];
    return { content, structuredContent: envelope, isError: !envelope.success };
  });
  await server.connect(transport);
}

type Outcome = LedgerOutcome & { readonly details?: object };

function refuseFirst(error: ErrorObject | undefined): Outcome {
  const { missingProperty, additionalProperty, allowedValues } = (error?.params ?? {}) as Record<
    string,
    unknown
  >;
  const field = String(missingProperty ?? additionalProperty ?? error?.instancePath.slice(1) ?? "arguments");
  const code = missingProperty === undefined ? undefined : "MISSING_REQUIRED";
  const isType = error?.keyword === "type";
  return refuse(
    field,
    `${field}: ${error?.message}`,
    allowedValues,
    code ?? (isType ? "INVALID_FORMAT" : undefined),
  );
}

function refuse(field: string, message: string, allowed?: unknown, code = "VALIDATION_ERROR"): Outcome {
  const values = Array.isArray(allowed) ? allowed.join(", ") : undefined;
  return {
    code,
    type: "validation",
    message,
    remediation: values === undefined ? `Correct ${field}.` : `Use one of ${values}.`,
    details: { field },
  };
}

function toEnvelope(outcome: Outcome, meta: object) {
  if ("data" in outcome) return { success: true, data: outcome.data, error: null, meta };
  const { code, type, message, remediation, details } = outcome;
  const data = {
    error_code: code,
    error_type: type,
    remediation,
    ...(details === undefined ? {} : { details }),
  };
  return { success: false, data, error: message, meta };
}
