import type { UnknownRecord } from "@foundry-mcp/contract";
import { z } from "zod";
import type { Context } from "../../context/context.ts";
import { action, type CliPlacement } from "../../define/action.ts";
import { defineTool } from "../../define/tool.ts";

/**
 * A test tool with a parameter for literal words, such as another command line, and with parameters for
 * files.
 */
export const contractTool = defineTool({
  name: "contract",
  version: "1.0.0",
  description: "Checks servers and files",
  actions: {
    check: action({
      description: "Checks a server",
      input: z.object({
        command: z.array(z.string()).describe("How it is started"),
        level: z.enum(["low", "high"]).optional(),
      }),
      cli: { arguments: ["command"], literal: ["command"] },
      parameterAliases: { cmd: "command" },
      page: { default: 1, max: 20 },
      examples: [
        { title: "one with options", args: { command: ["node", "s.js", "--x", "-"], level: "low" } },
      ],
      run: ({ command, level }, { page }) => ({
        words: page.sorted(
          command.map((word, index) => ({ word, index, level })),
          { key: ({ index }) => [index] },
        ),
      }),
    }),
    start: action({
      input: z.object({ name: z.string(), word: z.string().optional(), words: z.array(z.int()).optional() }),
      cli: { arguments: ["name", "words"], literal: ["word", "words"] },
      run: (input) => input,
    }),
    clear: action({
      input: z.object({ note: z.string().nullable() }),
      cli: { files: ["note"] },
      run: (input) => input,
    }),
    validate: action({
      description: "Checks what a file holds",
      input: z.object({ text: z.string().describe("Envelopes"), schema: z.string().nullable().optional() }),
      cli: { arguments: ["text"], files: ["text", "schema"] },
      examples: [{ title: "one envelope", args: { text: "{}" } }],
      run: (input) => input,
    }),
  },
});

/** Creates a tool of one action with the given placement on the command line. */
export function placedTool(
  cli: CliPlacement<UnknownRecord>,
  run: (input: unknown, context: Context) => object = () => ({}),
) {
  const input = z.object({ text: z.string().optional(), count: z.int().optional() });
  return defineTool({ name: "placed", version: "1.0.0", description: "Placed", input, cli, run });
}
