import { randomUUID } from "node:crypto";
import { createRawServer, isJson, type Json, type RawServer, type RpcAnswer } from "../rpc.ts";

const metres = { millimetre: 0.001, metre: 1, kilometre: 1000, inch: 0.0254, mile: 1609.344 } as const;
const units = Object.keys(metres) as readonly (keyof typeof metres)[];
const isUnit = (value: unknown): value is keyof typeof metres => units.includes(value as never);

/** A field with the test that its values pass. */
interface Field {
  readonly schema: Json;
  readonly expected: string;
  readonly required?: boolean;
  fits(value: unknown): boolean;
}

const unit = {
  schema: { $ref: "#/$defs/unit" },
  expected: `one of ${units.join(", ")}`,
  required: true,
  fits: isUnit,
};

const fields: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  convert_length: {
    value: {
      schema: { type: "number" },
      expected: "a number",
      required: true,
      fits: (v) => typeof v === "number",
    },
    from: unit,
    to: unit,
    digits: {
      schema: { anyOf: [{ type: "integer", minimum: 0, maximum: 10 }, { type: "null" }] },
      expected: "a whole number from 0 to 10",
      fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 10,
    },
  },
  list_units: {
    system: {
      schema: { enum: ["metric", "imperial", null] },
      expected: '"metric" or "imperial"',
      fits: (value) => value === "metric" || value === "imperial",
    },
  },
};

const descriptions: Readonly<Record<string, string>> = {
  convert_length: "Converts a length from one unit to another.",
  list_units: "The units of length, with their length in metres.",
};

/**
 * Creates a correct server with envelope-v1 at tier pro. The server has a different key order, an additional field,
 * and no pages.
 */
export function createUnitServer(): RawServer {
  return createRawServer({
    name: "units",
    listTools: () => ({ result: { tools: Object.keys(fields).map(toDefinition) } }),
    callTool: (params) => answer(String(params["name"]), params["arguments"] ?? {}, params),
  });
}

function toDefinition(name: string): Json {
  const properties = Object.entries(fields[name] ?? {});
  return {
    name,
    description: descriptions[name],
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { unit: { type: "string", enum: units } },
      properties: Object.fromEntries(properties.map(([field, { schema }]) => [field, schema])),
      required: properties.filter(([, { required }]) => required === true).map(([field]) => field),
    },
    outputSchema: {
      type: "object",
      properties: { data: {}, error: {}, warnings: { type: "array", items: { type: "string" } } },
      required: ["data", "error", "tier", "tool_id"],
    },
    annotations: { readOnlyHint: true },
  };
}

function answer(tool: string, given: unknown, params: Json): RpcAnswer {
  const known = fields[tool];
  if (known === undefined) {
    const envelope = toEnvelope(
      tool,
      params,
      refuse("tool", `one of ${Object.keys(fields).join(", ")}`, tool),
    );
    return { error: { code: -32602, message: `There is no tool ${tool}`, data: envelope } };
  }
  const outcome = check(known, given) ?? run(tool, given as Json);
  const envelope = toEnvelope(tool, params, outcome);
  const content = [{ type: "text", text: JSON.stringify(envelope) }];
  return { result: { isError: envelope["error"] !== null, structuredContent: envelope, content } };
}

function check(known: Readonly<Record<string, Field>>, given: unknown): Json | undefined {
  if (!isJson(given)) return refuse("arguments", "an object");
  for (const name of Object.keys(given)) {
    if (known[name] === undefined)
      return refuse(name, `left out: there are ${Object.keys(known).join(", ")}`);
  }
  for (const [name, { expected, required, fits }] of Object.entries(known)) {
    const value = given[name] ?? undefined;
    if (value === undefined ? required === true : !fits(value)) return refuse(name, expected);
  }
  return undefined;
}

function refuse(field: string, expected: string, received?: string): Json {
  const said = received === undefined ? "" : `, not ${received.slice(0, 100)}`;
  return {
    error: {
      error_details: { field, expected, hint: `Send ${field} as ${expected}.` },
      error_code: "invalid_argument",
      error: `${field} must be ${expected}${said}`,
    },
  };
}

function run(tool: string, given: Json): Json {
  if (tool === "list_units") {
    const isMetric = (name: string) => name.endsWith("metre");
    const wanted = given["system"] ?? undefined;
    const chosen = units.filter((name) => wanted === undefined || isMetric(name) === (wanted === "metric"));
    return { data: { units: chosen.map((name) => ({ unit: name, metres: metres[name] })) } };
  }
  const { value, from, to, digits } = given as { value: number; from: never; to: never; digits?: number };
  const exact = (value * metres[from as keyof typeof metres]) / metres[to as keyof typeof metres];
  const hint = { feature: "uncertainty", tier: "enterprise", reason: "Bounds of the result need enterprise" };
  return {
    data: { value: Number(exact.toFixed(digits ?? 6)), unit: to },
    upgrade_hints: [hint],
    warnings: from === to ? ["Both units are the same"] : [],
  };
}

function toEnvelope(tool: string, { _meta }: Json, outcome: Json): Json {
  const asked = isJson(_meta) ? _meta["foundry-mcp/request_id"] : undefined;
  const error = outcome["error"] ?? null;
  return {
    data: error === null ? outcome["data"] : { success: false, error: (error as Json)["error"] },
    error,
    warnings: outcome["warnings"] ?? [],
    upgrade_hints: outcome["upgrade_hints"] ?? [],
    capabilities: ["lengths", "envelope-v1"],
    tier: "pro",
    tool_id: tool,
    tool_version: "2026.1",
    duration_ms: 0.25,
    request_id: typeof asked === "string" ? asked : randomUUID(),
  };
}
