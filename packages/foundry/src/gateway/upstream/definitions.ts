import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { isTooDeep } from "@foundry-mcp/contract/input";
import type { JsonSchema } from "@foundry-mcp/toolkit";
import type { RawConnection, RawReply } from "@foundry-mcp/toolkit/client";
import { type Redactor, redactDeep } from "../../servers/redact.ts";
import { maskSchema } from "./mask-schema.ts";

/** A tool definition of an upstream, with invalid parts removed so that every client accepts it. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /**
   * Set if the tool can or must run as a task of protocol version 2025-11-25. If absent, the tool does not support
   * tasks.
   */
  readonly taskSupport?: "optional" | "required";
  readonly annotations: UnknownRecord;
  readonly meta: UnknownRecord;
}

/** A prompt of an upstream. */
export interface UpstreamPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** A resource or resource template of an upstream. `address` is its URI or URI template. */
export interface UpstreamResource {
  readonly address: string;
  readonly isTemplate: boolean;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** The tools, prompts and resources that an upstream lists. */
export interface UpstreamLists {
  readonly tools: readonly UpstreamTool[];
  readonly prompts: readonly UpstreamPrompt[];
  readonly resources: readonly UpstreamResource[];
}

/** The maximum number of items of a list. Without a maximum, an endless list would fill the memory. */
const maxItems = 5_000;
const maxPages = 200;

/**
 * Reads all lists of an upstream. If `tools/list` fails, returns the failure instead. The time limit is that of all lists
 * together, because an upstream could answer each page at the last moment. Secrets are masked in the texts that clients
 * read.
 */
export async function readLists(
  connection: RawConnection,
  { timeoutMs, redact }: { readonly timeoutMs: number; readonly redact: Redactor },
): Promise<UpstreamLists | Extract<RawReply, { readonly kind: "error" | "none" }>> {
  const capabilities = connection.capabilities ?? {};
  const endAt = performance.now() + timeoutMs;
  const read = async (capability: string, method: string, key: string) =>
    capabilities[capability] === undefined ? [] : readPages(connection, method, key, endAt);
  const tools = await read("tools", "tools/list", "tools");
  if ("kind" in tools) return tools;
  // A failed list of prompts or resources counts as empty, because the tools of the server are still useful.
  const optional = async (...of: Parameters<typeof read>) => {
    const items = await read(...of);
    return "kind" in items ? [] : items;
  };
  const [prompts, resources, templates] = await Promise.all([
    optional("prompts", "prompts/list", "prompts"),
    optional("resources", "resources/list", "resources"),
    optional("resources", "resources/templates/list", "resourceTemplates"),
  ]);
  return {
    tools: tools.flatMap(toTool).map((tool) => maskTool(tool, redact)),
    prompts: prompts.flatMap(toPrompt).map((prompt) => maskPrompt(prompt, redact)),
    resources: [
      ...resources.flatMap((item) => toResource(item, "uri")),
      ...templates.flatMap((item) => toResource(item, "uriTemplate")),
    ].map((item) => maskTexts(item, redact)),
  };
}

/** Masks secrets in all parts of a tool that clients read, because they pass the parts on to a model. */
function maskTool(tool: UpstreamTool, redact: Redactor): UpstreamTool {
  const { inputSchema, outputSchema, annotations, meta } = tool;
  return {
    ...maskTexts(tool, redact),
    inputSchema: maskSchema(inputSchema, redact),
    ...(outputSchema === undefined ? {} : { outputSchema: maskSchema(outputSchema, redact) }),
    annotations: redactDeep(annotations, redact) as UnknownRecord,
    meta: redactDeep(meta, redact) as UnknownRecord,
  };
}

function maskPrompt(prompt: UpstreamPrompt, redact: Redactor): UpstreamPrompt {
  return {
    ...maskTexts(prompt, redact),
    arguments: prompt.arguments.map((argument) => maskTexts(argument, redact)),
  };
}

/** Masks secrets in title and description; a name must stay the upstream's own, because it is sent back. */
function maskTexts<T extends { readonly title?: string; readonly description?: string }>(
  item: T,
  redact: Redactor,
): T {
  const { title, description } = item;
  return {
    ...item,
    ...(title === undefined ? {} : { title: redact(title) }),
    ...(description === undefined ? {} : { description: redact(description) }),
  };
}

async function readPages(
  connection: RawConnection,
  method: string,
  key: string,
  endAt: number,
): Promise<readonly UnknownRecord[] | Extract<RawReply, { readonly kind: "error" | "none" }>> {
  const items: UnknownRecord[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && items.length < maxItems; page += 1) {
    const timeoutMs = Math.max(1, endAt - performance.now());
    const reply = await connection.request(method, cursor === undefined ? {} : { cursor }, { timeoutMs });
    if (reply.kind !== "result") return reply;
    const { result } = reply;
    if (!isRecord(result) || !Array.isArray(result[key])) break;
    for (const item of result[key]) if (isRecord(item) && !isTooDeep(item)) items.push(item);
    const { nextCursor } = result;
    if (typeof nextCursor !== "string" || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return items.slice(0, maxItems);
}

function toTool(item: UnknownRecord): UpstreamTool[] {
  const { name, description, annotations, _meta, outputSchema } = item;
  if (typeof name !== "string" || name === "" || name.length > 1_000) return [];
  return [
    {
      name,
      ...textOf(item, "title"),
      description: typeof description === "string" ? description : "",
      inputSchema: toObjectSchema(item["inputSchema"]),
      ...(isObjectSchema(outputSchema) ? { outputSchema } : {}),
      ...taskSupportOf(item["execution"]),
      annotations: isRecord(annotations) ? annotations : {},
      meta: isRecord(_meta) ? _meta : {},
    },
  ];
}

function taskSupportOf(execution: unknown): Pick<UpstreamTool, "taskSupport"> {
  const support = isRecord(execution) ? execution["taskSupport"] : undefined;
  return support === "optional" || support === "required" ? { taskSupport: support } : {};
}

/**
 * Returns the schema of a tool's arguments. A schema that does not describe an object is replaced with one that accepts
 * any object, because clients reject the whole list of tools if one schema is invalid.
 */
function toObjectSchema(schema: unknown): JsonSchema {
  return isObjectSchema(schema) ? schema : { type: "object" };
}

function isObjectSchema(schema: unknown): schema is JsonSchema {
  if (!isRecord(schema) || schema["type"] !== "object") return false;
  const { properties, required } = schema;
  const hasMembers =
    properties === undefined || (isRecord(properties) && Object.values(properties).every(isSchema));
  const hasNames =
    required === undefined || (Array.isArray(required) && required.every((name) => typeof name === "string"));
  return hasMembers && hasNames;
}

const isSchema = (value: unknown) => typeof value === "boolean" || isRecord(value);

function toPrompt(item: UnknownRecord): UpstreamPrompt[] {
  const { name, arguments: declared } = item;
  if (typeof name !== "string" || name === "") return [];
  const parameters = (Array.isArray(declared) ? declared : []).flatMap((each) => {
    if (!isRecord(each) || typeof each["name"] !== "string") return [];
    return [{ name: each["name"], ...textOf(each, "description"), required: each["required"] === true }];
  });
  return [{ name, ...textOf(item, "title"), ...textOf(item, "description"), arguments: parameters }];
}

function toResource(item: UnknownRecord, key: "uri" | "uriTemplate"): UpstreamResource[] {
  const { [key]: address, name } = item;
  if (typeof address !== "string" || address === "" || address.length > 2_000) return [];
  return [
    {
      address,
      isTemplate: key === "uriTemplate",
      name: typeof name === "string" ? name : address,
      ...textOf(item, "title"),
      ...textOf(item, "description"),
      ...textOf(item, "mimeType"),
    },
  ];
}

function textOf<K extends string>(item: UnknownRecord, key: K): { readonly [N in K]?: string } {
  const text = item[key];
  return (typeof text === "string" ? { [key]: text } : {}) as { readonly [N in K]?: string };
}
