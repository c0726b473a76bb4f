import { type Envelope, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import {
  type Completer,
  definePrompt,
  defineResource,
  type Prompt,
  type Resource,
  withJsonSchema,
} from "@foundry-mcp/toolkit";
import { type RawReply, unwrap } from "@foundry-mcp/toolkit/client";
import { shapeReply } from "../shape/shape-reply.ts";
import type { UpstreamPrompt, UpstreamResource } from "../upstream/definitions.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { anyArguments } from "./any-arguments.ts";

/** Creates a prompt of the gateway that requests the prompt of an upstream. */
export function createUpstreamPrompt(name: string, prompt: UpstreamPrompt, upstream: Upstream): Prompt {
  const { title, description, arguments: declared } = prompt;
  const properties = Object.fromEntries(
    declared.map(({ name: argument, description: about }) => [
      argument,
      { type: "string", ...(about === undefined ? {} : { description: about }) },
    ]),
  );
  const required = declared.flatMap((argument) => (argument.required ? [argument.name] : []));
  return definePrompt({
    name,
    title,
    description,
    arguments: withJsonSchema(anyArguments, { type: "object", properties, required }),
    complete: completersOf(
      declared.map((argument) => argument.name),
      { type: "ref/prompt", name: prompt.name },
      upstream,
    ),
    render: async (input, { signal, inputResponses }) => {
      const answers = Object.keys(inputResponses).length === 0 ? {} : { inputResponses };
      const params = { name: prompt.name, arguments: input, ...answers };
      const reply = await upstream.request("prompts/get", params, signal);
      return toResult(reply, upstream);
    },
  });
}

/**
 * Creates a resource or resource template of the gateway that reads from an upstream. The URI is the same as at the
 * upstream.
 */
export function createUpstreamResource(
  { address, isTemplate, ...resource }: UpstreamResource,
  upstream: Upstream,
): Resource {
  const read = async (uri: string, signal: AbortSignal) => {
    const reply = await upstream.request("resources/read", { uri }, signal);
    return toResult(reply, upstream) as never;
  };
  if (!isTemplate)
    return defineResource({ ...resource, uri: address, read: ({ signal }) => read(address, signal) });
  return defineResource({
    ...resource,
    uriTemplate: address,
    complete: completersOf(variablesOf(address), { type: "ref/resource", uri: address }, upstream),
    read: (_variables, { signal }, uri) => read(uri, signal),
  });
}

/**
 * Returns functions that request completions of arguments from the upstream. If the upstream does not support
 * completions, they return none.
 */
function completersOf(
  names: readonly string[],
  ref: UnknownRecord,
  upstream: Upstream,
): Readonly<Record<string, Completer>> {
  const complete = async (name: string, value: string) => {
    if (!upstream.completes) return [];
    const reply = await upstream.request("completion/complete", { ref, argument: { name, value } });
    const { completion } = toResult(reply, upstream);
    const values = isRecord(completion) ? completion["values"] : undefined;
    return (Array.isArray(values) ? values : []).filter((each): each is string => typeof each === "string");
  };
  return Object.fromEntries(names.map((name) => [name, (value: string) => complete(name, value)]));
}

/** Returns the names of the variables of a URI template. */
function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.replace(/(\*|:\d+)$/, "")),
  );
}

/** Returns the result in a reply. Throws a ContractError if the reply is an error or has no result. */
function toResult(reply: RawReply, upstream: Upstream): UnknownRecord {
  if (reply.kind === "result" && isRecord(reply.result)) return reply.result;
  const { envelope } = shapeReply(reply, { upstream: upstream.name, redact: upstream.redact });
  return unwrap(envelope as Envelope<UnknownRecord>);
}
