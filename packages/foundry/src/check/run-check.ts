import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { requireWritableFile, systemErrorCode, writeNamedFile } from "@foundry-mcp/toolkit/files";
import { readTextFile } from "../servers/read-text-file.ts";
import { createRedactor, redactDeep } from "../servers/redact.ts";
import { parseCalls } from "./calls/calls-file.ts";
import { checkErrors } from "./check-errors.ts";
import { checkServer } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { toJunit } from "./report/to-junit.ts";
import { type TargetOptions, toTarget } from "./to-target.ts";

/** Input of `contract check`. */
export interface CheckInput extends TargetOptions {
  readonly calls?: string | undefined;
  readonly dialect?: Dialect | undefined;
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** Seconds. */
  readonly call_timeout?: number | undefined;
  /** Seconds. */
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

/** Checks a server and writes the JUnit file; throws a ContractError with the report if it does not pass. */
export async function runCheck(input: CheckInput, deps: CheckDeps): Promise<CheckReport> {
  const target = await toTarget(input, deps.env);
  const { calls: file, junit, call_timeout: callSeconds, time_limit: seconds } = input;
  const calls =
    file === undefined ? undefined : parseCalls(await readTextFile(file, "the calls file"), { file });
  // Before the check: a report that cannot be written would be lost.
  if (junit !== undefined) await withWriteErrors(junit, requireWritableFile);
  const redact = createRedactor(target.secrets);
  const found = await checkServer(target, {
    calls,
    dialect: input.dialect,
    protocol: input.protocol,
    secrets: target.secrets,
    signal: deps.signal,
    onWarning: (message) => deps.warn?.(redact(message)),
    onProgress: (done, total, message) => deps.progress(done, total, redact(message)),
    ...(callSeconds === undefined ? {} : { callTimeoutMs: callSeconds * 1_000 }),
    ...(seconds === undefined ? {} : { totalTimeoutMs: seconds * 1_000 }),
  }).catch((thrown: unknown) => {
    throw redactError(thrown, redact);
  });
  const report = redactDeep(found, redact) as CheckReport;
  // Not after an interrupt: a file cut short would be taken for a report.
  if (junit !== undefined && !deps.signal.aborted)
    await withWriteErrors(junit, (path) => writeNamedFile(path, toJunit(report)));
  if (report.verdict === "passed") return report;
  throw toVerdictError(report);
}

function toVerdictError(report: CheckReport): ContractError {
  const { rules, unchecked } = report;
  const failed = rules.filter(({ status }) => status === "failed").map(({ rule }) => rule);
  if (report.verdict === "failed") {
    const many = failed.length === 1 ? "1 rule that binds" : `${failed.length} rules that bind`;
    const message = `The server breaks ${many}: ${failed.join(", ")}`;
    return checkErrors.error("CONTRACT_BROKEN", message, { data: report, details: { rules: failed } });
  }
  const names = unchecked.map(({ what }) => what);
  const message = `The server breaks no rule that binds, but not everything could be checked: ${names.slice(0, 10).join(", ")}`;
  return checkErrors.error("CHECK_INCOMPLETE", message, { data: report, details: { unchecked: names } });
}

async function withWriteErrors(path: string, write: (path: string) => Promise<void>): Promise<void> {
  try {
    await write(path);
  } catch (cause) {
    if (isContractError(cause)) throw cause;
    throw new ContractError(`Cannot write the JUnit report to "${path}": ${systemErrorCode(cause)}`, {
      errorCode: "INVALID_PATH",
      remediation: "Give --junit a file in a folder that exists and can be written to.",
      details: { field: "junit", constraint: "writable", received: path },
      cause,
    });
  }
}

/** Redacts secrets in an error, because it may repeat what the server sent. */
function redactError(thrown: unknown, redact: (text: string) => string): unknown {
  if (!isContractError(thrown)) return thrown;
  const { details, ...options } = thrown.options;
  return new ContractError(redact(thrown.message), {
    ...options,
    ...(details === undefined ? {} : { details: redactDeep(details, redact) as object }),
    cause: thrown.cause,
  });
}
