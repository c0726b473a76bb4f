import {
  ContractError,
  featureDisabled,
  forbidden,
  isContractError,
  validationError,
} from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { toVisible } from "@foundry-mcp/toolkit/cli";
import type { Plan } from "../../model/change.ts";
import { addVerification, reopensOnFailure } from "../../model/changes/add-verification.ts";
import { workHash } from "../../model/evidence/work-hash.ts";
import { requireVerify } from "../../model/find-node.ts";
import { awaitedWork } from "../../model/readiness.ts";
import type { SpecNode } from "../../model/spec-model.ts";
import { requireText } from "../../model/text-limits.ts";
import { type ProgramRun, runProgram, toEnvironment } from "../../verify/run-program.ts";
import { toArgv } from "../../verify/to-argv.ts";
import { changeSpec, changeTask, type TaskChangeInput } from "../change-spec.ts";
import type { Workspace } from "../workspace.ts";
import { type OpenOutputs, storeOutput } from "./store-output.ts";

/** The dependencies of verifications. */
export interface VerificationDeps {
  readonly outputs: OpenOutputs;
  /** The programs that may be run, as the setting `verify_programs` names them; `*` allows any program. */
  readonly programs: () => Promise<readonly string[]>;
  /** The working directory of the programs. */
  readonly folder: () => Promise<string>;
}

/** The parameters of `execute`. */
export interface ExecuteInput extends Omit<TaskChangeInput, "task_id" | "idempotency_key"> {
  readonly verify_id: string;
  readonly argv?: readonly string[] | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly record?: boolean | undefined;
}

const tailLength = 2_000;
/** The interval between progress notifications in milliseconds. */
const progressMs = 5_000;

/** Runs the command of a verification, and records the result. */
export async function executeVerification(
  workspace: Workspace,
  deps: VerificationDeps,
  input: ExecuteInput,
  context: Context,
): Promise<object> {
  const { spec_id, verify_id, timeout_seconds = 300, record = true, dry_run, claim_token, force } = input;
  const write = { spec_id, task_id: verify_id, claim_token, force };
  // A dry run comes first, so that a call whose record would be refused does not run the program. The dry run
  // also hashes the work before the program runs.
  const dryRun = { ...write, if_revision: input.if_revision, dry_run: true };
  const change = record ? changeTask : changeSpec;
  const prepared = await change(workspace, dryRun, prepare(input), context);
  const { argv, work_hash, revision } = prepared;
  requireProgram(argv[0] ?? "", await deps.programs(), { spec_id, verify_id });
  if (dry_run === true) {
    const { work_complete, reopens_on_failure } = prepared;
    const run = { would_run: argv, timeout_seconds, work_hash, work_complete, reopens_on_failure };
    return { spec_id, verify_id, ...run, revision };
  }

  const run = await runWithProgress(argv, timeout_seconds * 1_000, deps, context);
  const result = run.ended === "exit" && run.exitCode === 0 ? ("PASSED" as const) : ("FAILED" as const);
  const facts = {
    argv,
    exit_code: run.exitCode,
    ended: run.ended,
    duration_ms: run.durationMs,
    output_hash: run.hash,
    ...(await storeOutput(deps.outputs, run.output, run.hash, context)),
  };
  const response = {
    spec_id,
    verify_id,
    result,
    ...facts,
    ...(run.signal === null ? {} : { signal: run.signal }),
    output_bytes: run.bytes,
    output_tail: tailOf(run),
  };
  if (!record) return { ...response, recorded: false, revision };
  const plan = addVerification({ verify_id, result, ...facts, work_hash }, "execute");
  // `if_revision` is left out, because it was checked before the run. If the spec has changed since then, the
  // record is stale but not wrong.
  const recorded = await changeTask(workspace, write, plan, context).catch((error: unknown) => {
    throw isContractError(error) ? notRecorded(error, response) : error;
  });
  const { is_current, work_complete, reopened } = recorded;
  return { ...response, recorded: true, is_current, work_complete, reopened, revision: recorded.revision };
}

interface Prepared {
  readonly argv: readonly string[];
  readonly work_hash: string;
  readonly work_complete: boolean;
  /** True if the node is completed, and a failure of the program would reopen the node. */
  readonly reopens_on_failure: boolean;
}

function prepare({ verify_id, argv, record = true }: ExecuteInput): Plan<Prepared> {
  return (spec, context) => {
    const node = requireVerify(spec, verify_id, "execute");
    const command = argv ?? argvOf(spec.id, node);
    requireText("argv", command.join(" "));
    const result = {
      argv: command,
      work_hash: workHash(spec, verify_id),
      work_complete: awaitedWork(spec, node) === undefined,
      reopens_on_failure: record && reopensOnFailure(spec, node, context),
    };
    return { edits: [], result };
  };
}

/** Returns the command of a node. A command line is split into words like a shell would split it. */
function argvOf(spec_id: string, { id, metadata: { argv, command } }: SpecNode): readonly string[] {
  if (Array.isArray(argv) && argv.length > 0 && argv.every((each) => typeof each === "string")) return argv;
  if (typeof command === "string" && command.trim() !== "") return toArgv(command);
  throw validationError(
    { field: "argv", constraint: "required" },
    {
      message: `Cannot execute ${id}: neither the verify node nor the call has a command`,
      remediation: 'Pass argv, such as ["npm", "test"], or store the command in the node, such as: {1}.',
      remedy: {
        tool: "task",
        action: "update",
        arguments: { spec_id, task_id: id, metadata: { command: "npm test" } },
      },
    },
  );
}

/**
 * Refuses a program that the settings do not name. Names are compared exactly as written. A path does not
 * match its file name, so a file of the workspace cannot replace a program of the system.
 */
function requireProgram(
  program: string,
  allowed: readonly string[],
  verification: { readonly spec_id: string; readonly verify_id: string },
): void {
  if (allowed.includes(program) || allowed.includes("*")) return;
  const isOff = allowed.length === 0;
  const short = (name: string) => (name.length > 200 ? `${name.slice(0, 200)}…` : name);
  const setting = JSON.stringify([...allowed, program].map(short)).replaceAll(",", ", ");
  const options = {
    remediation: `Let verifications run it ${isOff ? "" : "as well "}with verify_programs = ${setting} in your own foundry.toml (not in that of the workspace), or run it yourself and record the result: {1}.`,
    remedy: [
      { tool: "verification", action: "add", arguments: verification, needs: ["result", "notes"] },
      { setting: "verify_programs" },
    ],
    details: { program: short(program), setting: "verify_programs" },
  };
  if (isOff) throw featureDisabled("verification execute", options);
  const names = allowed.slice(0, 10).join(", ");
  throw forbidden(`Cannot run ${JSON.stringify(short(program))}: verifications may run ${names}`, options);
}

async function runWithProgress(
  argv: readonly string[],
  timeoutMs: number,
  deps: VerificationDeps,
  { signal, progress }: Context,
): Promise<ProgramRun> {
  const cwd = await deps.folder();
  const started = Date.now();
  const heartbeat = setInterval(
    () => progress((Date.now() - started) / 1_000, timeoutMs / 1_000, "The command is running"),
    progressMs,
  );
  try {
    return await runProgram({ argv, cwd, timeoutMs, env: toEnvironment(process.env), signal });
  } finally {
    clearInterval(heartbeat);
  }
}

function tailOf({ output }: ProgramRun): string {
  // A character has at most four bytes in UTF-8.
  const text = Buffer.from(output.subarray(-4 * tailLength)).toString("utf8");
  return toVisible(text.slice(-tailLength), { keepLines: true }).slice(-tailLength);
}

/** Adds the outcome of the command to the error, so that the outcome is not lost. */
function notRecorded(
  error: ContractError,
  {
    result,
    exit_code,
    ended,
    output_hash,
  }: Readonly<Record<"result" | "exit_code" | "ended" | "output_hash", string | number | null>>,
): ContractError {
  return new ContractError(`The command ran (${result}), but the result was not recorded: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, run: { result, exit_code, ended, output_hash } },
  });
}
