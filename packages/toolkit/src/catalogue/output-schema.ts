import type { Dialect } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { toPayloadSchema } from "./check-action.ts";
import type { PreparedTool } from "./prepared-tool.ts";

/**
 * The level of detail of the output schema: `full` describes the payload of every action, `compact` only the
 * envelope, and `open` only that the response is an object.
 */
export type OutputDetail = "full" | "compact" | "open";

export const outputDetails: readonly OutputDetail[] = ["full", "compact", "open"];

/**
 * Creates the output schema that clients see. The schema admits success and failure in every dialect that may be
 * sent, because clients of SDK 1.x reject responses that do not match the schema. The root of the schema is an
 * object, because clients of the 2025 protocol versions would wrap any other schema.
 */
export function toOutputSchema(
  tool: PreparedTool,
  dialects: readonly Dialect[],
  detail: OutputDetail,
): JsonSchema {
  if (detail === "open") return anyObject;
  const { forms, definitions } = detail === "full" ? toPayloadForms(tool) : noPayloads;
  const [main = "response-v2", ...others] = dialects;
  const whole = dialectSchemas[main](forms);
  // The schema describes only the default dialect in detail. Responses in other dialects must merely match
  // the schema.
  const briefs = [
    ...(main === "response-v2" && forms.length > 0 ? [reduced] : []),
    ...others.map((dialect) => ({ type: "object", required: dialectMarks[dialect] })),
  ];
  const schema = briefs.length === 0 ? whole : { type: "object", anyOf: [whole, ...briefs] };
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };
}

const anyObject: JsonSchema = { type: "object" };

/** The keys that identify a dialect. */
const dialectMarks: Readonly<Record<Dialect, readonly string[]>> = {
  "response-v2": ["success", "data", "error", "meta"],
  "envelope-v1": ["tier", "tool_id", "error", "data"],
  "response-v1": ["success", "schema_version"],
};

/** The schema of a response that was reduced to its token budget; its payload may lack required members. */
const reduced: JsonSchema = {
  type: "object",
  properties: { meta: { type: "object", required: ["content_fidelity"] } },
  required: dialectMarks["response-v2"],
};

const dialectSchemas: Readonly<Record<Dialect, (forms: readonly JsonSchema[]) => JsonSchema>> = {
  "response-v2": (forms) => ({
    type: "object",
    properties: {
      success: { type: "boolean" },
      data: forms.length === 0 ? anyObject : { anyOf: [...forms, failureData] },
      error: { type: ["string", "null"] },
      meta: { type: "object", properties: { version: { const: "response-v2" } }, required: ["version"] },
    },
    required: ["success", "data", "error", "meta"],
    additionalProperties: false,
  }),
  // The schema does not restrict `data` to the payload, because `data` also contains failures and the
  // response-v2 fields that envelope-v1 lacks.
  "envelope-v1": () => {
    const properties = {
      tier: { type: "string" },
      tool_version: { type: "string" },
      tool_id: { type: "string" },
      request_id: { type: "string" },
      capabilities: { type: "array", items: { type: "string" } },
      duration_ms: { type: "number" },
      error: { type: ["object", "null"] },
      upgrade_hints: { type: "array", items: anyObject },
      data: {},
    };
    return { type: "object", properties, required: Object.keys(properties) };
  },
  "response-v1": () => ({
    type: "object",
    properties: { success: { type: "boolean" }, schema_version: { type: "string" } },
    required: ["success"],
  }),
};

const failureData: JsonSchema = {
  type: "object",
  properties: {
    error_code: { type: "string" },
    error_type: { type: "string" },
    remediation: { type: "string" },
    details: anyObject,
  },
  required: ["error_code", "error_type", "remediation"],
};

/** The payload schemas of a tool's actions, and the definitions to which these schemas refer. */
interface PayloadForms {
  readonly forms: readonly JsonSchema[];
  readonly definitions: Readonly<Record<string, unknown>>;
}

const noPayloads: PayloadForms = { forms: [], definitions: {} };

/**
 * Removes `items` from schemas with `prefixItems`. Clients of SDK 1.x interpret schemas as draft 07, which ignores
 * `prefixItems` and applies `items` to every item, so these clients would reject every tuple.
 */
function toDraft07(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !Array.isArray(Reflect.get(value, "prefixItems"))) {
      return value;
    }
    const { items: _, ...rest } = value as JsonSchema;
    return rest;
  }) as JsonSchema;
}

/**
 * Collects the payload schemas and moves their definitions to the root, because their references point there.
 * Returns no payload schemas if moving the definitions is impossible.
 */
function toPayloadForms(tool: PreparedTool): PayloadForms {
  const definitions: Record<string, unknown> = {};
  const forms: JsonSchema[] = [];
  for (const { output, label } of tool.actions.values()) {
    if (output === undefined) return noPayloads;
    const { $defs = {}, ...form } = toDraft07(toPayloadSchema(output, label));
    if (JSON.stringify([form, $defs]).includes('"$ref":"#"')) return noPayloads;
    for (const [name, json] of Object.entries($defs as object)) {
      if (Object.hasOwn(definitions, name) && JSON.stringify(definitions[name]) !== JSON.stringify(json)) {
        return noPayloads;
      }
      definitions[name] = json;
    }
    forms.push(form);
  }
  return { forms, definitions };
}
