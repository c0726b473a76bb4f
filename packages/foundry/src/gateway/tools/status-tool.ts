import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { CallCounts } from "../observe/call-counts.ts";
import type { UpstreamStatus } from "../upstream/upstream.ts";

/** The state of one upstream, with its tools and its calls. */
export interface UpstreamReport extends Omit<UpstreamStatus, "state">, CallCounts {
  readonly state: UpstreamStatus["state"] | "invalid";
  /** The number of its tools that are served, and of those that the configuration denies. */
  readonly tools: number;
  readonly denied: number;
}

/** The state of a gateway. */
export interface GatewayStatus {
  readonly upstreams: readonly UpstreamReport[];
  /** What is wrong with the configuration although it could be read, such as a rule that matches no tool. */
  readonly warnings: readonly string[];
  /** An estimate of the tokens that clients did not receive, because answers were paged or shortened. */
  readonly tokens_saved: number;
  readonly definitions: {
    /** The tokens of the definitions that clients list, and of those that they find by a search. */
    readonly listed_tokens: number;
    readonly hidden_tokens: number;
  };
}

/** Creates the tool that reports the state of the gateway; it is not listed, because it would cost every client tokens. */
export function createStatusTool(read: () => Promise<GatewayStatus>): Tool {
  const tool = defineTool({
    name: "gateway",
    version: "1.0.0",
    description: "Show the servers behind this gateway, their state and their calls",
    output: () =>
      z.looseObject({ upstreams: z.array(z.looseObject({ name: z.string(), state: z.string() })) }),
    readOnly: true,
    run: async () => ({ ...(await read()) }) as never,
  });
  return { ...tool, unlisted: true };
}
