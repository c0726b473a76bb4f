import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { toVisible } from "@foundry-mcp/toolkit/cli";
import type { Plan } from "../../model/change.ts";
import { addVerification } from "../../model/changes/add-verification.ts";
import { workHash } from "../../model/evidence/work-hash.ts";
import { requireVerify } from "../../model/find-node.ts";
import type { SpecNode } from "../../model/spec-model.ts";
import { requireText } from "../../model/text-limits.ts";
import { type ProgramRun, runProgram, toEnvironment } from "../../verify/run-program.ts";
import { toArgv } from "../../verify/to-argv.ts";
import { changeSpec, changeTask, type TaskChangeInput } from "../change-spec.ts";
import type { Workspace } from "../workspace.ts";
import { requireProgram } from "./require-program.ts";
import { type OutputKeeper, storeOutput } from "./store-output.ts";

/** How programs are run. */
export interface VerificationDeps extends OutputKeeper {
  /** The programs that may be run, as the setting `verify_programs` names them; `*` for any. */
  readonly programs: () => Promise<readonly string[]>;
  /** The folder that they are run in. */
  readonly folder: () => Promise<string>;
}

/** The verification to run. */
export interface ExecuteInput extends Omit<TaskChangeInput, "task_id" | "idempotency_key"> {
  readonly verify_id: string;
  readonly argv?: readonly string[] | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly record?: boolean | undefined;
}

const tailLength = 2_000;
/** Callers that wait hear so often that there is something to wait for. */
const progressMs = 5_000;

/** Runs the command of a verification, and records what came of it. */
export async function executeVerification(
  workspace: Workspace,
  running: VerificationDeps,
  input: ExecuteInput,
  context: Context,
): Promise<object> {
  const { spec_id, verify_id, timeout_seconds = 300, record = true, dry_run, claim_token, force } = input;
  const write = { spec_id, task_id: verify_id, claim_token, force };
  // Whatever would refuse the record refuses the run; the hash is of the work before it.
  const asked = { ...write, if_revision: input.if_revision, dry_run: true };
  const change = record ? changeTask : changeSpec;
  const { argv, work_hash, revision } = await change(workspace, asked, prepare(input), context);
  requireProgram(argv[0] ?? "", await running.programs());
  if (dry_run === true) return { spec_id, verify_id, would_run: argv, timeout_seconds, work_hash, revision };

  const run = await runWatched(argv, timeout_seconds * 1_000, running, context);
  const result = run.ended === "exit" && run.exitCode === 0 ? ("PASSED" as const) : ("FAILED" as const);
  const facts = {
    argv,
    exit_code: run.exitCode,
    ended: run.ended,
    duration_ms: run.durationMs,
    output_hash: run.hash,
    ...(await storeOutput(running, run.output, run.hash, context)),
  };
  const told = {
    spec_id,
    verify_id,
    result,
    ...facts,
    ...(run.signal === null ? {} : { signal: run.signal }),
    output_bytes: run.bytes,
    output_tail: tailOf(run),
  };
  if (!record) return { ...told, recorded: false, revision };
  const plan = addVerification({ verify_id, result, ...facts, work_hash }, "execute");
  // The revision was right when the program began; what changed since makes the record stale, not wrong.
  const kept = await changeTask(workspace, write, plan, context).catch((error: unknown) => {
    throw isContractError(error) ? notRecorded(error, told) : error;
  });
  return { ...told, recorded: true, is_current: kept.is_current, revision: kept.revision };
}

interface Prepared {
  readonly argv: readonly string[];
  readonly work_hash: string;
}

function prepare({ verify_id, argv }: ExecuteInput): Plan<Prepared> {
  return (spec) => {
    const node = requireVerify(spec, verify_id, "execute");
    const asked = argv ?? ownArgv(node);
    requireText("argv", asked.join(" "));
    return { edits: [], result: { argv: asked, work_hash: workHash(spec, verify_id) } };
  };
}

/** What a node says is to be run: files hold a line, which is split as a shell would. */
function ownArgv({ id, metadata: { argv, command } }: SpecNode): readonly string[] {
  if (Array.isArray(argv) && argv.length > 0 && argv.every((each) => typeof each === "string")) return argv;
  if (typeof command === "string" && command.trim() !== "") return toArgv(command);
  throw validationError(
    { field: "argv", constraint: "required" },
    {
      message: `Cannot execute ${id}: neither it nor the call says what to run`,
      remediation: `Give argv, such as ["npm", "test"], or keep it in the node with task(action="update", task_id="${id}", metadata={"command": "npm test"}).`,
    },
  );
}

async function runWatched(
  argv: readonly string[],
  timeoutMs: number,
  running: VerificationDeps,
  { signal, progress }: Context,
): Promise<ProgramRun> {
  const cwd = await running.folder();
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
  // No character has more than four bytes.
  const text = Buffer.from(output.subarray(-4 * tailLength)).toString("utf8");
  return toVisible(text.slice(-tailLength), { keepLines: true }).slice(-tailLength);
}

/** The command was run for nothing, unless its outcome is told with the failure. */
function notRecorded(
  error: ContractError,
  {
    result,
    exit_code,
    ended,
    output_hash,
  }: Readonly<Record<"result" | "exit_code" | "ended" | "output_hash", string | number | null>>,
): ContractError {
  return new ContractError(`The command was run (${result}), but that was not recorded: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, run: { result, exit_code, ended, output_hash } },
  });
}
