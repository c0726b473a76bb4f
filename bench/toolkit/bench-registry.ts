import {
  type Action,
  createRegistry,
  defineTool,
  type Registry,
  type RegistryOptions,
  type Tool,
} from "@foundry-mcp/toolkit";
import { lookUp, lookUpInput, lookUpOutput } from "./lookup.ts";

/** Creates a registry of the toolkit with the measured tool. Options that are not passed have their defaults. */
export function createBenchRegistry(
  options: Partial<RegistryOptions> = {},
  needs: Pick<Tool, "flag" | "tier"> & Pick<Action, "task"> = {},
): Registry {
  const tool = defineTool({
    name: "look-up",
    version: "1.0.0",
    description: "Finds tasks by a word",
    input: lookUpInput,
    output: lookUpOutput,
    readOnly: true,
    run: lookUp,
    ...needs,
  });
  return createRegistry({ name: "bench", version: "1.0.0", tools: [tool], ...options });
}
