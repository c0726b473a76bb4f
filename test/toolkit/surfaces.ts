import type { Registry } from "@foundry-mcp/toolkit";
import { toArgv } from "@foundry-mcp/toolkit/cli";
import { isCommand, runCommand } from "./command-line.ts";
import { connectSdk, type SdkName, sdkNames, type ToolResult } from "./sdk-clients.ts";

/** The answer to a call, with the information that the surface adds. */
export interface Answer {
  /** The envelope, which is parsed from the wire, or the same object in process. */
  readonly envelope: unknown;
  /** The whole result over MCP, with text and structured content. */
  readonly result?: ToolResult;
  /** The code of the JSON-RPC error that contained the envelope, over MCP. */
  readonly rpcCode?: number;
  /** The status and the headers of the response, over HTTP. */
  readonly response?: Response;
  /** The exit code, on the command line. */
  readonly exitCode?: number;
}

/** A surface of a server, with the client that calls it. */
export interface Surface {
  call(tool: string, args: Record<string, unknown> | undefined, requestId?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** The servers that surfaces connect to. */
export interface Places {
  readonly registry: Registry;
  /** The URL of the HTTP server, without a path. */
  readonly url: string;
  /** The script that serves the same registry over stdio. */
  readonly script: string;
}

/** Every surface with every client that can use it. */
export const surfaces: readonly { readonly name: string; open(places: Places): Promise<Surface> }[] = [
  { name: "in process", open: async ({ registry }) => inProcess(registry) },
  { name: "POST /api", open: async ({ url }) => overApi(url) },
  { name: "command line", open: async ({ registry }) => overCli(registry) },
  ...sdkNames.flatMap((sdk) => [
    { name: `stdio, ${sdk}`, open: ({ script }: Places) => overMcp(sdk, { script }) },
    { name: `HTTP, ${sdk}`, open: ({ url }: Places) => overMcp(sdk, { url: `${url}/mcp` }) },
  ]),
];

function inProcess(registry: Registry): Surface {
  return {
    call: async (tool, args, requestId) => ({ envelope: await registry.call(tool, args, { requestId }) }),
    close: async () => {},
  };
}

function overCli(registry: Registry): Surface {
  return {
    async call(tool, args, requestId) {
      const words = isCommand(registry, tool, args)
        ? toArgv(registry, tool, args)
        : [tool, ...(typeof args?.["action"] === "string" ? [args["action"]] : [])];
      const id = requestId === undefined ? [] : ["--request-id", requestId];
      const { code, stdout } = await runCommand(registry, [...words, ...id]);
      const [line = "", ...rest] = stdout.split("\n");
      // The output is exactly one line.
      if (rest.join("") !== "") throw new Error(`stdout has more than one line: ${stdout}`);
      return { envelope: JSON.parse(line), exitCode: code };
    },
    close: async () => {},
  };
}

function overApi(url: string): Surface {
  return {
    async call(tool, args, requestId) {
      const response = await fetch(`${url}/api/tools/${encodeURIComponent(tool)}`, {
        method: "POST",
        ...(args === undefined ? {} : { body: JSON.stringify(args) }),
        headers: {
          "content-type": "application/json",
          // Without this header, the server would close the connection after five idle seconds, possibly just when
          // the next surface uses it.
          connection: "close",
          ...(requestId === undefined ? {} : { "x-request-id": requestId }),
        },
      });
      return { envelope: await response.json(), response };
    },
    close: async () => {},
  };
}

async function overMcp(sdk: SdkName, place: Parameters<typeof connectSdk>[1]): Promise<Surface> {
  const client = await connectSdk(sdk, place);
  return {
    async call(tool, args, requestId) {
      const meta = requestId === undefined ? {} : { _meta: { "foundry-mcp/request_id": requestId } };
      try {
        const result = await client.callTool({
          name: tool,
          ...(args === undefined ? {} : { arguments: args }),
          ...meta,
        });
        return { envelope: result.structuredContent, result };
      } catch (thrown) {
        const { code, data } = thrown as { code?: number; data?: unknown };
        // Only an error that contains an envelope is an answer. Any other error fails the test.
        if (data === undefined || typeof code !== "number") throw thrown;
        return { envelope: data, rpcCode: code };
      }
    },
    close: () => client.close(),
  };
}
