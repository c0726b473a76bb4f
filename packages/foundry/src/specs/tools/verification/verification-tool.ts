import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { addVerification } from "../../model/changes/add-verification.ts";
import { verificationResults } from "../../model/evidence/verification-record.ts";
import { verificationView } from "../../views/review-view.ts";
import { taskChangeFields } from "../change-parameters.ts";
import { changeTask } from "../change-spec.ts";
import { text } from "../parameters.ts";
import { specRevision } from "../payload-parts.ts";
import type { Workspace } from "../workspace.ts";
import { executeVerification, type VerificationDeps } from "./execute-verification.ts";
import { storeOutput } from "./store-output.ts";

/** The maximum size of stored output in bytes. */
const maxOutputBytes = 8 * 2 ** 20;

const { task_id: _, ...addOptions } = taskChangeFields;
const { idempotency_key: __, ...executeOptions } = addOptions;

const verify_id = z.string().min(1).describe("Id of the verify node");

/** The parameters of `add`. */
const addFields = {
  ...addOptions,
  verify_id,
  result: z.enum(verificationResults),
  command: text.describe("Command that was run"),
  exit_code: z.int().min(0).max(255).optional().describe("Exit code of the command"),
  output: text.describe("Output of the command, stored outside the spec"),
  issues: text,
  notes: text,
};

/**
 * The parameters of `execute`. This action takes no idempotency key, because a program may have another
 * result when it runs again.
 */
const executeFields = {
  ...executeOptions,
  verify_id,
  argv: z
    .array(z.string())
    .min(1)
    .max(256)
    .optional()
    .describe("Program and arguments, run without a shell (default: the command of the verify node)"),
  timeout_seconds: z
    .number()
    .positive()
    .max(3_600)
    .optional()
    .describe("Seconds after which the program is stopped (default: 300)"),
  record: z.boolean().optional().describe("Record the result (default: true)"),
};

/**
 * Creates the tool that records evidence. Evidence consists of the results of verifications, each with the
 * state of the verified work.
 */
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
          arguments: ["spec_id", "verify_id", "result"],
          short: { result: "r", command: "c", notes: "n" },
          show: viewOf(() => verificationView),
        },
        run: async (input, context) => {
          const { verify_id, result, command, exit_code, issues, notes, output, dry_run } = input;
          const facts = await toFacts(output, dry_run, context);
          const plan = addVerification({ verify_id, result, command, exit_code, ...facts, issues, notes });
          return {
            ...(await changeTask(workspace, { ...input, task_id: verify_id }, plan, context)),
            ...facts,
          };
        },
      }),
      execute: action({
        description:
          "Run the program of a verify node, if the settings allow that program, and record the result",
        input: () => z.object(executeFields),
        output: () => payload({ ...specRevision, verify_id: z.string() }),
        openWorld: true,
        destructive: true,
        task: "optional",
        timeoutMs: 3_700_000,
        cli: {
          command: "verification execute",
          arguments: ["spec_id", "verify_id", "argv"],
          literal: ["argv"],
          show: viewOf(() => verificationView),
        },
        run: (input, context) => executeVerification(workspace, deps, input, context),
      }),
    },
  });
}

function outputTooLarge(size: number): ContractError {
  return new ContractError(`Cannot store output of ${size} bytes: the limit is ${maxOutputBytes}`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Give only the end of the output, which usually contains the result.",
    details: { field: "output", constraint: "max_length", length: size, limit: maxOutputBytes },
  });
}
