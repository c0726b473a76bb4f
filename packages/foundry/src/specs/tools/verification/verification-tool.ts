import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { z } from "zod";
import { addVerification } from "../../model/changes/add-verification.ts";
import { changeTask } from "../change-spec.ts";
import { specRevision } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { executeVerification, type VerificationDeps } from "./execute-verification.ts";
import { storeOutput } from "./store-output.ts";
import { added, executed } from "./verification-parameters.ts";

/** As much as is kept of what a program writes. */
const maxOutputBytes = 8 * 2 ** 20;

/** Creates the tool that keeps evidence: what verifications came to, and on which state of the work. */
export function createVerificationTool(workspace: Workspace, running: VerificationDeps): Tool {
  async function toFacts(output: string | undefined, isDry: boolean | undefined, context: Context) {
    if (output === undefined || output === "") return {};
    const bytes = Buffer.from(output);
    if (bytes.length > maxOutputBytes) throw outputTooLarge(bytes.length);
    const hash = contentHashOf(bytes);
    return { output_hash: hash, ...(isDry ? {} : await storeOutput(running, bytes, hash, context)) };
  }
  return defineTool({
    name: "verification",
    version: "1.0.0",
    description: "Evidence that work is done",
    actions: {
      add: action({
        description: "Record what a verification came to",
        input: () => z.object(added),
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
        input: () => z.object(executed),
        output: () => payload({ ...specRevision, verify_id: z.string() }),
        openWorld: true,
        destructive: true,
        timeoutMs: 3_700_000,
        cli: {
          command: "verification execute",
          arguments: ["spec_id", "verify_id", "argv"],
          literal: ["argv"],
        },
        run: (input, context) => executeVerification(workspace, running, input, context),
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
