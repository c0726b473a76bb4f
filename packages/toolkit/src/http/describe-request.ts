import { type DescribeRemedy, describeRemedy } from "@foundry-mcp/contract";

/** Formats a remedy as a request to the HTTP API. */
export const describeRequest: DescribeRemedy = (remedy) => {
  if (!("tool" in remedy)) return describeRemedy(remedy);
  const { tool, action, arguments: given, needs = [] } = remedy;
  const unknown = Object.fromEntries(needs.map((name) => [name, "…"]));
  return `POST /api/tools/${tool} ${JSON.stringify({ action, ...given, ...unknown })}`;
};
