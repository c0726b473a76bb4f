import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { findKind, requireWritableFile, systemErrorCode, writeNamedFile } from "@foundry-mcp/toolkit/files";
import { readTextFile } from "../servers/read-text-file.ts";
import { createRedactor, redactDeep } from "../servers/redact.ts";
import { parseCalls } from "./calls/calls-file.ts";
import { type PlannedCall, writeCalls } from "./calls/write-calls.ts";
import { checkErrors } from "./check-errors.ts";
import { checkServer } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { toJunit } from "./report/to-junit.ts";
import type { Profile } from "./rules/profiles.ts";
import { type TargetOptions, toTarget } from "./to-target.ts";

/** Input of `contract check`. */
export interface CheckInput extends TargetOptions {
  readonly calls?: string | undefined;
  /** The path of a calls file to write, with calls for the successes and failures that the check did not see. */
  readonly write_calls?: string | undefined;
  readonly profile?: Profile | undefined;
  readonly dialect?: Dialect | undefined;
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** The time limit of one call in seconds. */
  readonly call_timeout?: number | undefined;
  /** The time limit of the whole check in seconds. */
  readonly time_limit?: number | undefined;
  readonly junit?: string | undefined;
}

/** Environment and callbacks of a check. */
export interface CheckDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  progress(done: number, total: number, message: string): void;
  /** Receives a warning for each input that has no effect. */
  warn?(message: string): void;
}

/** Checks a server and writes the JUnit file. Throws a ContractError with the report if the server does not pass. */
export async function runCheck(input: CheckInput, deps: CheckDeps): Promise<CheckReport> {
  const target = await toTarget(input, deps.env);
  const { calls: file, write_calls: skeleton, junit, call_timeout: callSeconds, time_limit: seconds } = input;
  const calls =
    file === undefined ? undefined : parseCalls(await readTextFile(file, "the calls file"), { file });
  // The path of the report is checked before the check starts, because a report that cannot be written would be lost.
  if (junit !== undefined) await withWriteErrors(junitReport, junit, requireWritableFile);
  if (skeleton !== undefined) await requireNewFile(skeleton);
  let planned: readonly PlannedCall[] = [];
  const redact = createRedactor(target.secrets);
  const found = await checkServer(target, {
    calls,
    profile: input.profile,
    dialect: input.dialect,
    protocol: input.protocol,
    secrets: target.secrets,
    signal: deps.signal,
    ...(skeleton === undefined ? {} : { onPlannedCalls: (found) => (planned = found) }),
    onWarning: (message) => deps.warn?.(redact(message)),
    onProgress: (done, total, message) => deps.progress(done, total, redact(message)),
    ...(callSeconds === undefined ? {} : { callTimeoutMs: callSeconds * 1_000 }),
    ...(seconds === undefined ? {} : { totalTimeoutMs: seconds * 1_000 }),
  }).catch((thrown: unknown) => {
    throw redactError(thrown, redact);
  });
  const report = redactDeep(found, redact) as CheckReport;
  // The report is not written after an interrupt, because an incomplete file would be mistaken for a report.
  if (junit !== undefined && !deps.signal.aborted)
    await withWriteErrors(junitReport, junit, (path) => writeNamedFile(path, toJunit(report)));
  if (skeleton !== undefined && !deps.signal.aborted)
    deps.warn?.(await writeSkeleton(skeleton, redactDeep(planned, redact) as readonly PlannedCall[]));
  if (report.verdict === "passed") return report;
  throw toVerdictError(report, skeleton === undefined || planned.length === 0 ? file : skeleton);
}

/** Throws if the file exists, because it may contain calls that a person has edited. */
async function requireNewFile(path: string): Promise<void> {
  await withWriteErrors(callsFile, path, requireWritableFile);
  if (findKind(path) === undefined) return;
  throw new ContractError(`Cannot write the calls to "${path}": the file exists`, {
    errorCode: "CONFLICT",
    remediation: "Give --write-calls a file that does not exist yet, or remove this one.",
    details: { field: "write_calls", constraint: "new", received: path },
  });
}

/** Writes the planned calls, and returns a sentence about the written file. */
async function writeSkeleton(path: string, calls: readonly PlannedCall[]): Promise<string> {
  if (calls.length === 0) return "No calls were written: a success of every tool and action was seen";
  await withWriteErrors(callsFile, path, (each) => writeNamedFile(each, writeCalls(calls, each)));
  const count = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  return `${count} written to "${path}": edit the arguments, and pass the file with --calls`;
}

/** A file that the check writes, with the name that errors use. */
interface WrittenFile {
  readonly name: string;
  readonly field: string;
}
const junitReport: WrittenFile = { name: "the JUnit report", field: "junit" };
const callsFile: WrittenFile = { name: "the calls", field: "write_calls" };

/** Creates the error for a report that did not pass; `edited` is a calls file that its user can edit. */
function toVerdictError(report: CheckReport, edited: string | undefined): ContractError {
  const { rules, unchecked } = report;
  const failed = rules.filter(({ status }) => status === "failed").map(({ rule }) => rule);
  if (report.verdict === "failed") {
    const many = failed.length === 1 ? "1 rule that binds" : `${failed.length} rules that bind`;
    const message = `The server breaks ${many}: ${failed.join(", ")}`;
    return checkErrors.error("CONTRACT_BROKEN", message, { data: report, details: { rules: failed } });
  }
  const names = unchecked.map(({ what }) => what);
  const message = `The server breaks no rule that binds, but not everything could be checked: ${names.slice(0, 10).join(", ")}`;
  return checkErrors.error("CHECK_INCOMPLETE", message, {
    data: report,
    details: { unchecked: names },
    ...(edited === undefined
      ? {}
      : {
          remediation: `Edit the calls in "${edited}" until they reach what is missing, and pass the file with --calls.`,
        }),
  });
}

async function withWriteErrors(
  { name, field }: WrittenFile,
  path: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  try {
    await write(path);
  } catch (cause) {
    if (isContractError(cause)) throw cause;
    throw new ContractError(`Cannot write ${name} to "${path}": ${systemErrorCode(cause)}`, {
      errorCode: "INVALID_PATH",
      remediation: `Give --${field.replaceAll("_", "-")} a file in a folder that exists and can be written to.`,
      details: { field, constraint: "writable", received: path },
      cause,
    });
  }
}

/** Redacts secrets in an error, because the error may repeat data that the server sent. */
function redactError(thrown: unknown, redact: (text: string) => string): unknown {
  if (!isContractError(thrown)) return thrown;
  const { details, ...options } = thrown.options;
  return new ContractError(redact(thrown.message), {
    ...options,
    ...(details === undefined ? {} : { details: redactDeep(details, redact) as object }),
    cause: thrown.cause,
  });
}
