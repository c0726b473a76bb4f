import { notFound } from "@foundry-mcp/contract";
import type { Server } from "@modelcontextprotocol/server";
import { createRequestId } from "../context/request-id.ts";
import type { Completer } from "../define/resource.ts";
import type { Registry } from "../registry/registry.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { findPrompt } from "./prompts.ts";
import { toProtocolError } from "./protocol-errors.ts";

/** The maximum number of completions in one answer, as the protocol defines it. */
const maxValues = 100;

/** Answers `completion/complete` for arguments of prompts and variables of resource templates. */
export function handleCompletions(host: McpHost, server: Server): void {
  const { registry } = host;
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    try {
      const completers =
        ref.type === "ref/prompt"
          ? findPrompt(registry.prompts, ref.name).complete
          : completersOf(registry, ref.uri);
      const complete =
        completers !== undefined && Object.hasOwn(completers, argument.name)
          ? completers[argument.name]
          : undefined;
      const values = complete === undefined ? [] : await complete(argument.value);
      return {
        completion: {
          values: values.slice(0, maxValues),
          total: values.length,
          hasMore: values.length > maxValues,
        },
      };
    } catch (thrown) {
      throw toProtocolError(host, thrown, { method: "completion/complete", requestId: createRequestId() });
    }
  });
}

function completersOf({ resources }: Registry, uri: string): Readonly<Record<string, Completer>> | undefined {
  const resource = resources.find((known) => known.uriTemplate === uri || known.uri === uri);
  if (resource === undefined) throw notFound("resource", uri);
  return resource.uriTemplate === undefined ? undefined : resource.complete;
}
