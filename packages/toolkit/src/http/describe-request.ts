import { describeRemedy, type Remedy } from "@foundry-mcp/contract";

/** Writes a remedy as a request of the HTTP API. */
export function describeRequest(remedy: Remedy): string {
  if (!("tool" in remedy)) return describeRemedy(remedy);
  const { tool, action, arguments: given, needs = [] } = remedy;
  const unknown = Object.fromEntries(needs.map((name) => [name, "…"]));
  return `POST /api/tools/${tool} ${JSON.stringify({ action, ...given, ...unknown })}`;
}
