import { constants } from "node:fs";
import { open, unlink, writeFile } from "node:fs/promises";
import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { readTextFile } from "../servers/read-text-file.ts";
import { createRedactor, redactDeep } from "../servers/redact.ts";
import { parseCalls } from "./calls/calls-file.ts";
import { checkErrors } from "./check-errors.ts";
import { checkServer } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { toJunit } from "./report/to-junit.ts";
import { type TargetWish, toTarget } from "./to-target.ts";

/** What a check is asked for. */
export interface CheckWish extends TargetWish {
  readonly calls?: string | undefined;
  readonly dialect?: Dialect | undefined;
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** Seconds. */
  readonly call_timeout?: number | undefined;
  /** Seconds. */
  readonly time_limit?: number | undefined;
  readonly junit?: string | undefined;
}

/** Where a check is made. */
export interface CheckPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  progress(done: number, total: number, message: string): void;
  /** Told of what is given and of no use. */
  warn?(message: string): void;
}

/** Checks the server that is asked for, and writes the JUnit file; a report that does not pass is thrown. */
export async function runCheck(wish: CheckWish, place: CheckPlace): Promise<CheckReport> {
  const target = await toTarget(wish, place.env);
  const { calls: file, junit, call_timeout: callSeconds, time_limit: seconds } = wish;
  const calls =
    file === undefined ? undefined : parseCalls(await readTextFile(file, "the calls file"), { file });
  // Before anything is asked: a report that cannot be written would be lost.
  if (junit !== undefined) await writing(junit, tryToWrite);
  const redact = createRedactor(target.secrets);
  const found = await checkServer(target, {
    calls,
    dialect: wish.dialect,
    protocol: wish.protocol,
    secrets: target.secrets,
    signal: place.signal,
    onWarning: (message) => place.warn?.(redact(message)),
    onProgress: (done, total, message) => place.progress(done, total, redact(message)),
    ...(callSeconds === undefined ? {} : { callTimeoutMs: callSeconds * 1_000 }),
    ...(seconds === undefined ? {} : { totalTimeoutMs: seconds * 1_000 }),
  }).catch((thrown: unknown) => {
    throw redactError(thrown, redact);
  });
  const report = redactDeep(found, redact) as CheckReport;
  // Who was interrupted does not wait: half a file would be taken for a report.
  if (junit !== undefined && !place.signal.aborted)
    await writing(junit, (path) => writeFile(path, toJunit(report)));
  if (report.verdict === "passed") return report;
  throw toVerdict(report);
}

function toVerdict(report: CheckReport): ContractError {
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

/** Opens a file for writing and leaves everything as it was: what is there stays until there is a report. */
async function tryToWrite(path: string): Promise<void> {
  const known = await open(path, constants.O_WRONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (known !== undefined) return known.close();
  const made = await open(path, "wx");
  await made.close();
  await unlink(path);
}

async function writing(path: string, write: (path: string) => Promise<void>): Promise<void> {
  try {
    await write(path);
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw new ContractError(`Cannot write the JUnit report to "${path}": ${code}`, {
      errorCode: "INVALID_PATH",
      remediation: "Give --junit a file in a folder that exists and can be written to.",
      details: { field: "junit", constraint: "writable", received: path },
      cause,
    });
  }
}

/** An error may repeat what the server said. */
function redactError(thrown: unknown, redact: (text: string) => string): unknown {
  if (!isContractError(thrown)) return thrown;
  const { details, ...options } = thrown.options;
  return new ContractError(redact(thrown.message), {
    ...options,
    ...(details === undefined ? {} : { details: redactDeep(details, redact) as object }),
    cause: thrown.cause,
  });
}
