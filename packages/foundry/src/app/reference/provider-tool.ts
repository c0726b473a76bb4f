import { notFound } from "@foundry-mcp/contract";
import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

/**
 * Creates the tool `provider` of the Python server. The only provider on this server is the model of the settings,
 * which writes summaries.
 */
export function createProviderTool(model: string | undefined, unlisted: boolean): Tool {
  const providers =
    model === undefined ? [] : [{ id: model, description: "Writes the summaries of research reports" }];
  return defineTool({
    name: "provider",
    version: "1.0.0",
    description: "List the configured model",
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
        run: () => ({ providers, available_count: providers.length, total_count: providers.length }),
      }),
      status: action({
        description: "Show one provider",
        input: () => z.object({ provider_id: z.string().min(1) }),
        output: () => payload({ id: z.string(), description: z.string(), available: z.boolean() }),
        readOnly: true,
        cli: false,
        run: ({ provider_id: id }) => {
          const provider = providers.find((each) => each.id === id);
          if (provider !== undefined) return { ...provider, available: true };
          throw notFound("provider", id, {
            remediation: "Give an id that the action list of provider returns.",
          });
        },
      }),
    },
  });
}
