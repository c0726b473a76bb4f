import { ContractError } from "@foundry-mcp/contract";
import { action, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** Whether a workspace works, part by part. */
export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
}

/** What can be done with a workspace as such. */
export interface WorkspaceCommands {
  init(withSample: boolean): Promise<object>;
  diagnose(): Promise<Diagnosis>;
  version(): object;
}

/**
 * Creates the commands about the workspace itself. For the command line alone: they make files where the
 * person is.
 */
export function createWorkspaceTool(commands: WorkspaceCommands): Tool {
  return defineTool({
    name: "workspace",
    version: "1.0.0",
    description: "The workspace itself: make one, look whether it works",
    actions: {
      init: action({
        description: "Make a workspace here, with a sample spec and .mcp.json",
        input: () =>
          z.object({
            yes: z.boolean().optional().describe("Ask nothing"),
            sample: z.boolean().optional().describe("With a sample spec (default: yes)"),
          }),
        output: () => payload({ created: z.array(z.string()), kept: z.array(z.string()) }),
        idempotent: true,
        cli: { command: "init" },
        run: ({ sample = true }) => commands.init(sample),
      }),
      doctor: action({
        description: "Whether everything that is needed is there and works",
        output: () => payload({ ok: z.boolean() }),
        readOnly: true,
        cli: { command: "doctor" },
        run: async () => {
          const found = await commands.diagnose();
          const broken = found.checks.filter(({ ok }) => !ok);
          if (broken.length === 0) return found;
          const names = broken.map(({ name }) => name).join(", ");
          throw new ContractError(`Not everything works: ${names}`, {
            errorCode: "INVALID_STATE",
            remediation: `Mend ${names} as data.checks says, then run foundry-cli doctor again.`,
            data: found,
          });
        },
      }),
      version: action({
        description: "The versions of this program and of what it runs on",
        output: () => payload({ version: z.string() }),
        readOnly: true,
        cli: { command: "version" },
        run: () => commands.version(),
      }),
    },
  });
}
