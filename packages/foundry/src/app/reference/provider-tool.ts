import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** Creates the tool `provider` of the reference. The only provider here is the model of the settings, which writes summaries. */
export function createProviderTool(model: string | undefined, unlisted: boolean): Tool {
  return defineTool({
    name: "provider",
    version: "1.0.0",
    description: "List the model that writes summaries, if one is configured",
    unlisted,
    actions: {
      list: action({
        description: "List providers",
        output: () =>
          payload({
            providers: rows({ id: z.string(), description: z.string() }),
            available_count: z.int(),
            total_count: z.int(),
          }),
        readOnly: true,
        cli: false,
        run: () => {
          const providers =
            model === undefined ? [] : [{ id: model, description: "Writes summaries of research" }];
          return { providers, available_count: providers.length, total_count: providers.length };
        },
      }),
    },
  });
}
