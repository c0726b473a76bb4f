import type { Transport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { harbourTools } from "./harbour-tools.ts";

/** The envelope of this server, with an additional key in meta. */
type Answer = Readonly<Record<string, unknown>> & { readonly success: boolean };

const outputSchema = {
  type: "object" as const,
  properties: { success: { type: "boolean" }, data: { type: "object" }, meta: { type: "object" } },
  required: ["success", "data", "error", "meta"],
};

const definitions = [...harbourTools].map(([name, { description, input }]) => ({
  name,
  description,
  inputSchema: toInputSchema(input),
  outputSchema,
  annotations: { readOnlyHint: true, idempotentHint: true },
}));

function toInputSchema(input: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema as { type: "object" };
}

const toolsPerPage = 2;

/** Serves a correct server on SDK 1.x, with custom codes, offsets as cursors, and a paged list of tools. */
export async function serveHarbours(transport: Transport): Promise<void> {
  const server = new Server({ name: "Häfen", version: "3.0.0-rc.1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0);
    const next = start + toolsPerPage;
    const tools = definitions.slice(start, next);
    return next < definitions.length ? { tools, nextCursor: String(next) } : { tools };
  });
  let calls = 0;
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls += 1;
    const asked = params._meta?.["foundry-mcp/request_id"];
    const meta = {
      version: "response-v2",
      request_id: typeof asked === "string" ? asked : `häfen-${calls}`.replace("ä", "ae"),
    };
    return answer(params.name, params.arguments ?? {}, meta);
  });
  await server.connect(transport as never);
}

function answer(name: string, given: Record<string, unknown>, meta: object) {
  const tool = harbourTools.get(name);
  if (tool === undefined) {
    const remediation = `Rufe eines von diesen: ${[...harbourTools.keys()].join(", ")}.`;
    const data = fail(
      { error_code: "TOOL_UNKNOWN", error_type: "not_found", remediation },
      `„${name}“ gibt es nicht`,
      meta,
    );
    throw new McpError(-32602, `Unknown tool ${name}`, data);
  }
  // As everywhere in the contract, null means absent. zod would treat null as a value.
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = tool.input.safeParse(keepUnknown(present, given, tool.input));
  if (!parsed.success) return toResult(refuse(parsed.error, meta));
  const outcome = tool.run(parsed.data as never);
  if ("failure" in outcome) return toResult(fail(outcome.failure, outcome.message, meta));
  const { data, ...said } = outcome;
  return toResult({
    success: true,
    data,
    error: null,
    meta: { ...meta, ...said.meta, served_by: "Käpt’n ⚓" },
  });
}

/** Keeps unknown arguments, even if they are null. */
function keepUnknown(present: object, given: Record<string, unknown>, input: z.ZodObject) {
  const unknown = Object.entries(given).filter(([name]) => !(name in input.shape));
  return { ...present, ...Object.fromEntries(unknown) };
}

function refuse(error: z.ZodError, meta: object): Answer {
  const [issue] = error.issues;
  const field =
    issue?.code === "unrecognized_keys" ? String(issue.keys[0]) : String(issue?.path[0] ?? "arguments");
  const details = { field, constraint: issue?.code ?? "invalid" };
  const remediation = `Prüfe ${field} und rufe noch einmal.`;
  const failure = { error_code: "ARGUMENT_REJECTED", error_type: "validation", remediation, details };
  return fail(failure, `${field}: ${issue?.message ?? "invalid"}`, meta);
}

function fail(data: object, message: string, meta: object): Answer {
  return { success: false, data, error: message, meta };
}

function toResult(envelope: Answer) {
  const content = [{ type: "text" as const, text: JSON.stringify(envelope) }];
  return { content, structuredContent: envelope, ...(envelope.success ? {} : { isError: true }) };
}
