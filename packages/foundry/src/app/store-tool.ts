import { ContractError, validationError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { CopiedSpec, CopyOptions } from "../specs/stores/copy-specs.ts";

/** What can be done with stores as such. */
export interface StoreCommands {
  /** Copies specs; `from` and `to` are `file`, `postgres` or an address. */
  copy(from: string, to: string, options: CopyOptions): Promise<readonly CopiedSpec[]>;
  /** Brings the schema of the database to the newest step. */
  migrate(isDry: boolean): Promise<object>;
}

/** Creates the commands about stores. For the command line alone: they reach wherever the person may. */
export function createStoreTool(commands: StoreCommands): Tool {
  return defineTool({
    name: "store",
    version: "1.0.0",
    description: "Where specs are kept: copy them from one store to another, set up a database",
    actions: {
      copy: action({
        description: "Copy specs, their history and leases to another store; may be repeated",
        input: () =>
          z.object({
            from: z.string().describe("file, postgres, or postgres://user@host/database"),
            to: z.string().describe("file, postgres, or postgres://user@host/database"),
            spec: z.array(z.string()).optional().describe("Only this spec; may be given several times"),
            overwrite: z.boolean().optional().describe("Replace specs that are there with another text"),
            confirm: z.literal(true).optional().describe("With overwrite: what is there is lost"),
            dry_run: z.boolean().optional(),
          }),
        output: () =>
          payload({ copied: z.int(), kept: z.int(), failed: z.int(), specs: z.array(z.looseObject({})) }),
        idempotent: true,
        destructive: true,
        timeoutMs: 24 * 3_600_000,
        cli: { command: "store copy" },
        run: async ({ from, to, spec, overwrite, confirm, dry_run }, context) => {
          if (overwrite && !confirm && !dry_run) throw unconfirmed();
          const { signal } = context;
          const onProgress = (done: number, total: number, id: string) => context.progress(done, total, id);
          const specs = await commands.copy(from, to, {
            ...{ ids: spec, overwrite, dryRun: dry_run, signal, onProgress },
          });
          return toAnswer(specs, dry_run === true, context);
        },
      }),
      migrate: action({
        description: "Bring the schema of the database up to date, as servers do when they start",
        input: () => z.object({ dry_run: z.boolean().optional().describe("Only tell the SQL") }),
        output: () => payload({ schema: z.int() }),
        idempotent: true,
        timeoutMs: 3_600_000,
        cli: { command: "store migrate" },
        run: ({ dry_run = false }) => commands.migrate(dry_run),
      }),
    },
  });
}

function toAnswer(specs: readonly CopiedSpec[], isDry: boolean, context: Context): object {
  const count = (outcome: CopiedSpec["outcome"]) => specs.filter((each) => each.outcome === outcome).length;
  const failed = count("failed");
  const told = {
    ...{ copied: count("copied"), kept: count("kept"), failed },
    ...(isDry ? { would_copy: count("would_copy"), would_replace: count("would_replace") } : {}),
    specs,
  };
  const [first] = specs.filter((each) => each.outcome === "failed");
  if (first !== undefined && failed === specs.length)
    throw new ContractError(
      `None of ${specs.length} specs ${isDry ? "would be" : "was"} copied: ${first.error}`,
      {
        errorCode: first.error_code,
        remediation: first.remediation,
        data: told,
      },
    );
  if (failed > 0) context.warn("PARTIAL_FAILURE", `${failed} of ${specs.length} specs were not copied`);
  return told;
}

function unconfirmed(): Error {
  return validationError(
    { field: "confirm", constraint: "required" },
    {
      message: "Cannot overwrite specs: confirm is missing",
      remediation: "Look with --dry-run what would be replaced, then say --overwrite --confirm.",
    },
  );
}
