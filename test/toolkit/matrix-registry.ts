import { createRegistry, type Registry, type RegistryOptions, type Tool } from "@foundry-mcp/toolkit";
import { envelopeTool } from "./envelope-tool.ts";
import { brokenTool, returnsTool, slowTool, throwsTool } from "./failing-tools.ts";
import { notesTool } from "./notes-tool.ts";
import { plainTools } from "./plain-tools.ts";

/** All tools that respond immediately. */
export const quickTools: readonly Tool[] = [
  ...plainTools,
  notesTool,
  throwsTool,
  returnsTool,
  brokenTool,
  envelopeTool,
];

/** Creates a registry whose tools together do everything that a tool can do. */
export function createMatrixRegistry(options: Partial<RegistryOptions> = {}): Registry {
  return createRegistry({
    name: "matrix",
    version: "3.2.1",
    tools: [...quickTools, slowTool],
    // The option is set explicitly, so that the tests do not depend on the environment.
    validateOutput: true,
    ...options,
  });
}
