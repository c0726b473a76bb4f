import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { createRequestId } from "../context/request-id.ts";
import type { Resource, ResourceContents } from "../define/resource.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { findResource, isFixed, resourceNotFound } from "./find-resource.ts";
import { requireResult, toProtocolError } from "./protocol-errors.ts";
import { toRequestContext } from "./request.ts";
import { maxUriLength, subscribe } from "./subscriptions.ts";

/** Answers every `resources/*` request from the registry. */
export function handleResources(host: McpHost, server: Server, subscriptions: Set<string>): void {
  const { registry } = host;
  server.setRequestHandler("resources/list", async (_request, context) => {
    const request = toRequestContext(host, server, context);
    await registry.options.prepare?.();
    try {
      const lists = await Promise.all(
        registry.resources.map((resource) =>
          isFixed(resource) ? [resource] : (resource.list?.(request) ?? []),
        ),
      );
      return {
        resources: lists.flat().map((resource) => describe(resource, { uri: resource.uri })) as never,
      };
    } catch (thrown) {
      throw toProtocolError(host, thrown, { method: "resources/list", requestId: request.requestId });
    }
  });
  server.setRequestHandler("resources/templates/list", async () => {
    await registry.options.prepare?.();
    const templates = registry.resources.filter((resource) => !isFixed(resource));
    return {
      resourceTemplates: templates.map((resource) =>
        describe(resource, { uriTemplate: resource.uriTemplate }),
      ) as never,
    };
  });
  server.setRequestHandler("resources/read", ({ params }, context) =>
    read(host, server, params.uri, context),
  );
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    try {
      subscribe(subscriptions, registry.resources, uri);
      return {};
    } catch (thrown) {
      const members = { uri: uri.slice(0, maxUriLength) };
      throw toProtocolError(host, thrown, {
        method: "resources/subscribe",
        requestId: createRequestId(),
        members,
      });
    }
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscriptions.delete(params.uri);
    return {};
  });
}

function describe({ name, title, description, mimeType }: Omit<Resource, "read">, address: object): object {
  const optional = Object.entries({ title, description, mimeType }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...address, name, ...Object.fromEntries(optional) };
}

async function read(host: McpHost, server: Server, uri: string, context: ServerContext): Promise<never> {
  const request = toRequestContext(host, server, context);
  try {
    const { resources } = host.registry;
    const found = findResource(resources, uri);
    if (found === undefined) throw resourceNotFound(resources, uri);
    const { resource, variables } = found;
    const contents = await (variables === undefined
      ? resource.read(request)
      : resource.read(variables, request, uri));
    return toContents(uri, resource, contents) as never;
  } catch (thrown) {
    const { requestId } = request;
    throw toProtocolError(host, thrown, { method: "resources/read", requestId, members: { uri } });
  }
}

function toContents(uri: string, { name, mimeType }: Resource, contents: ResourceContents): UnknownRecord {
  const type = mimeType === undefined ? {} : { mimeType };
  if (typeof contents === "string") return { contents: [{ uri, ...type, text: contents }] };
  if (contents instanceof Uint8Array) {
    return { contents: [{ uri, ...type, blob: Buffer.from(contents).toString("base64") }] };
  }
  return requireResult(contents, "ReadResourceResult", `resource ${name}`);
}
