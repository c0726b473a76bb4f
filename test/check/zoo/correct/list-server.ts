import { createRawServer, isJson, type Json, type RawServer, type RpcAnswer } from "../rpc.ts";
import { type ListTool, listTools, type Outcome } from "./list-tools.ts";

const outputSchema = {
  type: "object",
  properties: { success: { type: "boolean" }, data: { type: "object" }, meta: { type: "object" } },
  required: ["success", "data", "error", "meta"],
};

/** Creates a correct server of lists. Each list is paged in a different way. */
export function createListServer(): RawServer {
  const tools = listTools();
  return createRawServer({
    name: "lists",
    listTools: () => ({
      result: {
        tools: [...tools].map(([name, { description, properties }]) => ({
          name,
          description,
          inputSchema: { type: "object", properties: toStated(properties), additionalProperties: false },
          outputSchema,
          annotations: { readOnlyHint: true },
        })),
      },
    }),
    callTool: ({ name, arguments: given, _meta }) => {
      const asked = isJson(_meta) ? _meta["foundry-mcp/request_id"] : undefined;
      const id = typeof asked === "string" ? asked : "req_list";
      return answer(tools, String(name), isJson(given) ? given : {}, id);
    },
  });
}

function answer(tools: ReadonlyMap<string, ListTool>, name: string, given: Json, id: string): RpcAnswer {
  const tool = tools.get(name);
  if (tool === undefined) {
    const outcome = refuse("tool", `one of ${[...tools.keys()].join(", ")}`);
    return { error: { code: -32602, message: `Unknown tool ${name}`, data: toEnvelope(outcome, id) } };
  }
  const args = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => value !== null || !Object.hasOwn(tool.properties, key)),
  );
  const envelope = toEnvelope(check(tool, args) ?? tool.run(args), id);
  const content = [{ type: "text", text: JSON.stringify(envelope) }];
  const isError = envelope["success"] === false;
  return { result: { content, structuredContent: envelope, ...(isError ? { isError } : {}) } };
}

/** Removes the members that only the server uses, because they are not keywords of JSON Schema. */
function toStated(properties: ListTool["properties"]): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { most: _, ...stated }]) => [name, stated]),
  );
}

function check({ properties }: ListTool, args: Json): Outcome | undefined {
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(properties, name)) return refuse(name, "left out: there is no such argument");
    const { type, minimum = 1, maximum = Infinity, most = maximum } = properties[name] ?? { type: "string" };
    if (type === "string" ? typeof value !== "string" : !Number.isInteger(value))
      return refuse(name, `of type ${type}`);
    if (typeof value === "number" && (value < minimum || value > most))
      return refuse(name, `from ${minimum} to ${most}`);
  }
  return undefined;
}

function refuse(field: string, wanted: string): Outcome {
  return {
    error: `${field} must be ${wanted}`,
    data: {
      error_code: "VALIDATION_ERROR",
      error_type: "validation",
      remediation: `Send ${field} ${wanted}.`,
      details: { field },
    },
  };
}

function toEnvelope({ error, data, pagination }: Outcome, id: string): Json {
  const meta = {
    version: "response-v2",
    request_id: id,
    ...(pagination === undefined ? {} : { pagination }),
  };
  return { success: error === undefined, data, error: error ?? null, meta };
}
