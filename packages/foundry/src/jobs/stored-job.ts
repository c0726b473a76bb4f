import { ContractError, dialects, isContractError } from "@foundry-mcp/contract";
import { isTooDeep, maxDepth } from "@foundry-mcp/contract/input";
import type { Job } from "@foundry-mcp/toolkit/jobs";
import { z } from "zod";

/** The maximum size of a stored job. The limits of a principal are half of this size. */
export const maxJobBytes: number = 128 * 2 ** 20;

/** The nesting levels that a job adds to its arguments and its result. */
const addedLevels = 16;

const record = z.record(z.string(), z.unknown());
const count = z.int().min(0);
const time = z.iso.datetime();
const jobSchema = z.looseObject({
  id: z.string(),
  version: count,
  principal: z.string(),
  call: z.looseObject({
    tool: z.string(),
    action: z.string(),
    args: record,
    requestId: z.string(),
    trace: record.optional(),
    surface: z.enum(["in-process", "stdio", "http", "api", "cli"]),
    client: record,
    principal: z.looseObject({ id: z.string() }).optional(),
    dialect: z.enum(dialects),
    maxTokens: count.optional(),
  }),
  isRepeatable: z.boolean(),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  createdAt: time,
  updatedAt: time,
  ttlMs: count,
  pollIntervalMs: count,
  runs: count,
  token: count,
  lease: z.looseObject({ owner: z.string(), expiresAt: time }).optional(),
  isParked: z.boolean(),
  questions: z.record(
    z.string(),
    z.looseObject({ request: z.looseObject({ method: z.string(), params: record }) }),
  ),
  result: record.optional(),
  archived: z.looseObject({ archiveId: z.string() }).optional(),
  error: z.looseObject({ code: z.int(), message: z.string(), data: record.optional() }).optional(),
});

/**
 * Converts a job to the text that a store keeps. Fails with CONTENT_TOO_LARGE if the store could not read the text
 * again.
 */
export function toJobText(job: Job): string {
  const text = JSON.stringify(job);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxJobBytes) return text;
  throw new ContractError(`Cannot store the job: it has ${bytes} bytes, more than ${maxJobBytes}`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Send less.",
    details: { bytes, limit: maxJobBytes },
  });
}

/** Parses the stored text of a job. Fails with INVALID_FORMAT for a text that no store has written for this id. */
export function parseJob(text: string, id: string): Job {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedJob(id, "it is not JSON");
  }
  if (isTooDeep(value, maxDepth + addedLevels)) throw damagedJob(id, "it nests too deeply");
  const { success, data, error } = jobSchema.safeParse(value);
  if (!success) {
    const [issue] = error.issues;
    throw damagedJob(id, `${issue?.path.slice(0, 2).map(String).join(".") || "the whole"} is not valid`);
  }
  if (data.id !== id) throw damagedJob(id, "it is another job");
  // The original value is returned, because zod leaves out keys such as __proto__.
  return value as Job;
}

/**
 * Parses a job for a list. The list leaves out damaged jobs, so that one damaged job does not hide the other jobs.
 */
export function parseSoundJob(text: string, id: string): Job | undefined {
  try {
    return parseJob(text, id);
  } catch (thrown) {
    if (isContractError(thrown)) return undefined;
    throw thrown;
  }
}

/** Creates the failure for a stored job that cannot be read. */
function damagedJob(id: string, why: string): ContractError {
  return new ContractError(`Cannot read the job ${id}: its stored form is damaged: ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Call the tool again; its earlier job is lost.",
    details: { resource_type: "job", resource_id: id },
  });
}
