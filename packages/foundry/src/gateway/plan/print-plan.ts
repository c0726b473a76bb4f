import type { Envelope } from "@foundry-mcp/contract";
import { toVisible } from "@foundry-mcp/toolkit/cli";

/** A tool that the gateway would serve. */
export interface PlannedTool {
  readonly name: string;
  readonly upstream: string;
  /** The number of tokens of the tool's definition. */
  readonly tokens: number;
  readonly found_by_search?: boolean;
}

/** The tools and servers that a gateway would serve, shown by `gateway --dry-run`. */
export interface GatewayPlan {
  readonly tools: readonly PlannedTool[];
  /** The number of tokens of the list of tools that clients receive. */
  readonly tokens: number;
  readonly upstreams: readonly {
    readonly name: string;
    readonly state: string;
    readonly reason?: string;
    readonly tools: number;
    readonly denied: number;
  }[];
}

/** Formats a plan as JSON, or as lines of text for people. */
export function printPlan(envelope: Envelope<GatewayPlan>, format: "json" | "human"): string {
  if (format === "json" || !envelope.success) return `${JSON.stringify(envelope)}\n`;
  const { tools, tokens, upstreams } = envelope.data;
  const lines = upstreams.flatMap(({ name, state, reason, denied }) => {
    const own = tools.filter(({ upstream }) => upstream === name);
    const facts = [`${own.length} tools`, ...(denied === 0 ? [] : [`${denied} denied`])].join(", ");
    return [
      `${name}: ${state}, ${facts}${reason === undefined ? "" : ` (${reason})`}`,
      ...own.map((tool) => {
        const found = tool.found_by_search === true ? ", found by a search" : "";
        return `  ${tool.name}  ${tool.tokens} tokens${found}`;
      }),
    ];
  });
  const warnings = (envelope.meta.warnings ?? []).map((each) => `Warning: ${each}`);
  const text = [...lines, ...warnings, `Clients list ${tokens} tokens of definitions.`].join("\n");
  return `${toVisible(text, { keepLines: true })}\n`;
}
