import type { Envelope } from "@foundry-mcp/contract";
import { toVisible } from "@foundry-mcp/toolkit/cli";

/** A tool as a gateway would serve it. */
export interface PlannedTool {
  readonly name: string;
  readonly upstream: string;
  /** The tokens of its definition. */
  readonly tokens: number;
  readonly found_by_search?: boolean;
}

/** What a gateway would serve. */
export interface GatewayPlan {
  readonly tools: readonly PlannedTool[];
  /** The tokens of the list that clients receive. */
  readonly tokens: number;
  readonly upstreams: readonly {
    readonly name: string;
    readonly state: string;
    readonly reason?: string;
    readonly tools: number;
    readonly denied: number;
  }[];
}

/** Formats a plan: the envelope as JSON, or lines for people. */
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
