import { checkServer } from "foundry-mcp/check";
import { expect, it } from "vitest";
import { hostileCommand } from "./hostile/check-hostile.ts";

it("reports tool definitions whose schemas nest 100,000 levels deep", async () => {
  const [command = "", ...args] = hostileCommand("deep-schema");
  const open = () => ({ command, args, stderr: () => {} });
  const { findings, tools, verdict } = await checkServer({ label: "deep", open }, { callTimeoutMs: 60_000 });
  const brokenBy = (id: string) => findings.filter(({ rule }) => rule === id).map(({ tool }) => tool);
  expect(verdict).toBe("failed");
  // Deep values do not prevent compilation, so the schemas of "values" and "lists" can be compiled.
  expect(brokenBy("MCP-04")).toEqual(["properties", "items", "draft4", "choices"]);
  expect(brokenBy("MCP-07").toSorted()).toEqual(["choices", "draft4", "items", "lists", "properties"]);
  expect(tools.map(({ tool, calls }) => [tool, calls > 0])).toEqual(
    ["properties", "items", "draft4", "choices", "values", "lists"].map((tool) => [tool, true]),
  );
});
