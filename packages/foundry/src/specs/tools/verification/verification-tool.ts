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
  command: text.describe("The command that was run"),
  output: text.describe("Output of the command, stored outside the spec"),
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
    .describe("Program and arguments, run without a shell (default: those of the verify node)"),
  timeout_seconds: z
    .number()
    .positive()
    .max(3_600)
    .optional()
    .describe("Seconds after which the program is ended (default: 300)"),
  record: z.boolean().optional().describe("Record the result (default: true)"),
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
    description: "Record and run verifications: the evidence that work is done",
    actions: {
      add: action({
        description: "Record the result of a verification",
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
        description: "Run the program of a verify node, if the settings allow it, and record the result",
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
