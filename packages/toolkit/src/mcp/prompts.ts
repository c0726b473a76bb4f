import { notFound, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { Server } from "@modelcontextprotocol/server";
import type { RequestContext } from "../context/context.ts";
import type { Prompt, PromptResult } from "../define/prompt.ts";
import { toFieldErrors } from "../schema/field-errors.ts";
import { resolveSchema, toInputJsonSchema } from "../schema/schema.ts";
import { suggest } from "../text/did-you-mean.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { requireResult, toProtocolError } from "./protocol-errors.ts";
import { toRequestContext } from "./request.ts";

/** Answers `prompts/list` and `prompts/get` from the registry. */
export function handlePrompts(host: McpHost, server: Server): void {
  const { registry } = host;
  server.setRequestHandler("prompts/list", async () => {
    await registry.options.prepare?.();
    return { prompts: registry.prompts.map(describe) as never };
  });
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const request = toRequestContext(host, server, context);
    try {
      const prompt = findPrompt(registry.prompts, params.name);
      return toResult(prompt, await render(prompt, params.arguments ?? {}, request)) as never;
    } catch (thrown) {
      throw toProtocolError(host, thrown, { method: "prompts/get", requestId: request.requestId });
    }
  });
}

/** Finds a prompt by its name; throws a ContractError that suggests the nearest one. */
export function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((known) => known.name === name);
  if (prompt !== undefined) return prompt;
  const names = prompts.map((known) => known.name);
  throw notFound("prompt", name, { remediation: suggest(name, names) });
}

function describe(prompt: Prompt): object {
  const { name, title, description } = prompt;
  const optional = Object.entries({ title, description }).filter(([, value]) => value !== undefined);
  return { name, ...Object.fromEntries(optional), arguments: argumentsOf(prompt) };
}

function argumentsOf({ arguments: schema }: Prompt): readonly object[] {
  if (schema === undefined) return [];
  const json = toInputJsonSchema(resolveSchema(schema));
  const required = (json["required"] ?? []) as readonly string[];
  return Object.entries((json["properties"] ?? {}) as Record<string, UnknownRecord>).map(
    ([name, { description }]) => ({
      name,
      ...(description === undefined ? {} : { description }),
      required: required.includes(name),
    }),
  );
}

async function render(prompt: Prompt, given: UnknownRecord, request: RequestContext): Promise<PromptResult> {
  if (prompt.arguments === undefined) return prompt.render({} as never, request);
  const result = await resolveSchema(prompt.arguments)["~standard"].validate(given);
  if (result.issues !== undefined) throw validationError(toFieldErrors(result.issues, given));
  return prompt.render(result.value as never, request);
}

function toResult({ name, description }: Prompt, result: PromptResult): UnknownRecord {
  const messages =
    typeof result === "string" ? [{ role: "user", content: { type: "text", text: result } }] : result;
  const whole = Array.isArray(messages)
    ? { ...(description === undefined ? {} : { description }), messages }
    : messages;
  return requireResult(whole, "GetPromptResult", `prompt ${name}`);
}
