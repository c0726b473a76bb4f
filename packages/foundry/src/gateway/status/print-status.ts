import type { Envelope } from "@foundry-mcp/contract";
import { pluralize, toVisible } from "@foundry-mcp/toolkit/cli";
import type { GatewayStatus, UpstreamReport } from "../tools/status-tool.ts";

/** Formats the status of a gateway as JSON, or as lines of text for people. */
export function printStatus(envelope: Envelope<GatewayStatus>, format: "json" | "human"): string {
  if (format === "json" || !envelope.success) return `${JSON.stringify(envelope)}\n`;
  const { upstreams, warnings = [], tokens_saved: saved, definitions } = envelope.data;
  const lines = [
    ...upstreams.flatMap(toLines),
    ...warnings.map((text) => `Warning: ${text}`),
    `Definitions: ${definitions.listed_tokens} tokens listed, ${definitions.hidden_tokens} found by a search only.`,
    `Answers: about ${saved} tokens saved.`,
  ];
  return `${toVisible(lines.join("\n"), { keepLines: true })}\n`;
}

function toLines(report: UpstreamReport): readonly string[] {
  const { name, state, tools, calls, failures, restarts, breaker, reason } = report;
  const failed = Object.entries(failures).map(([code, count]) => `${count} ${code}`);
  const facts = [
    pluralize(tools, "tool"),
    pluralize(calls, "call"),
    ...failed,
    ...(restarts === 0 ? [] : [pluralize(restarts, "restart")]),
    ...(breaker === "closed" ? [] : [`breaker ${breaker}`]),
  ];
  return [`${name}: ${state}, ${facts.join(", ")}`, ...(reason === undefined ? [] : [`  ${reason}`])];
}
