import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { z } from "zod";
import { addVerification } from "../../model/changes/add-verification.ts";
import { verificationResults } from "../../model/evidence/verification-record.ts";
import { changeTask } from "../change-spec.ts";
import { specRevision, taskChangeFields, text } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { executeVerification, type VerificationDeps } from "./execute-verification.ts";
import { storeOutput } from "./store-output.ts";

/** The maximum size of stored output. */
const maxOutputBytes = 8 * 2 ** 20;

const { task_id: _, ...addOptions } = taskChangeFields;
const { idempotency_key: __, ...executeOptions } = addOptions;

const verify_id = z.string().min(1).describe("Id of the verify node");

/** The parameters of `add`. */
const addFields = {
  ...addOptions,
  verify_id,
  result: z.enum(verificationResults),
  command: text.describe("What was run"),
  output: text.describe("What it wrote; kept apart from the spec"),
  issues: text,
  notes: text,
};

/** The parameters of `execute`; it takes no idempotency key, because a program may give another result when it is run again. */
const executeFields = {
  ...executeOptions,
  verify_id,
  argv: z
    .array(z.string())
    .min(1)
    .max(256)
    .optional()
    .describe("Program and arguments, no shell (default: argv or command of the node)"),
  timeout_seconds: z.number().positive().max(3_600).optional().describe("Ends it then (default: 300)"),
  record: z.boolean().optional().describe("False: keep no record"),
};

/** Creates the tool that records evidence: the results of verifications, each with the state of the work it verified. */
export function createVerificationTool(workspace: Workspace, deps: VerificationDeps): Tool {
  async function toFacts(output: string | undefined, dryRun: boolean | undefined, context: Context) {
    if (output === undefined || output === "") return {};
    const bytes = Buffer.from(output);
    if (bytes.length > maxOutputBytes) throw outputTooLarge(bytes.length);
    const hash = contentHashOf(bytes);
    return { output_hash: hash, ...(dryRun ? {} : await storeOutput(deps.outputs, bytes, hash, context)) };
  }
  return defineTool({
    name: "verification",
    version: "1.0.0",
    description: "Evidence that work is done",
    actions: {
      add: action({
        description: "Record what a verification came to",
        input: () => z.object(addFields),
        output: () => payload({ ...specRevision, verify_id: z.string(), result: z.string() }),
        cli: {
          command: "verification add",
          arguments: ["spec_id", "verify_id"],
          short: { result: "r", command: "c", notes: "n" },
        },
        run: async (input, context) => {
          const { verify_id, result, command, issues, notes, output, dry_run } = input;
          const facts = await toFacts(output, dry_run, context);
          const plan = addVerification({ verify_id, result, command, ...facts, issues, notes });
          return {
            ...(await changeTask(workspace, { ...input, task_id: verify_id }, plan, context)),
            ...facts,
          };
        },
      }),
      execute: action({
        description: "Run its command, if the settings allow it, and record what came of it",
        input: () => z.object(executeFields),
        output: () => payload({ ...specRevision, verify_id: z.string() }),
        openWorld: true,
        destructive: true,
        timeoutMs: 3_700_000,
        cli: {
          command: "verification execute",
          arguments: ["spec_id", "verify_id", "argv"],
          literal: ["argv"],
        },
        run: (input, context) => executeVerification(workspace, deps, input, context),
      }),
    },
  });
}

function outputTooLarge(size: number): ContractError {
  return new ContractError(`Cannot keep output of ${size} bytes: ${maxOutputBytes} is the most`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Give the end of it, which mostly tells what happened.",
    details: { field: "output", constraint: "max_length", length: size, limit: maxOutputBytes },
  });
}
