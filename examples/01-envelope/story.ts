// This story shows in seven steps the answers of one tool, and how a program, an agent and an operator use the
// answers. The story prints real output and checks itself: any deviation ends the story with an error.
import assert from "node:assert/strict";
import {
  checkEnvelope,
  type Envelope,
  encodeEnvelope,
  fromUnknown,
  isRetryable,
  notFound,
  rateLimited,
  readEnvelope,
  retryAfter,
  serializeEnvelope,
  successResponse,
  toEnvelopeV1,
  toHttpStatus,
  validationError,
} from "@foundry-mcp/contract";
import { estimateTokens, fitToBudget } from "@foundry-mcp/contract/budget";
import { pageSorted } from "@foundry-mcp/contract/paging";

interface Task {
  readonly task_id: string;
  readonly title: string;
}

const tasks: readonly Task[] = Array.from({ length: 120 }, (_, index) => ({
  task_id: `task-${String(index + 1).padStart(3, "0")}`,
  title: `Write chapter ${index + 1}`,
}));

/** The tool of this story lists the tasks of a spec, one page at a time, and throws if something goes wrong. */
function listTasks(input: {
  spec_id?: string;
  limit?: number;
  cursor?: string | null;
}): Envelope<{ tasks: readonly Task[] }> {
  const { spec_id, limit = 50, cursor } = input;
  if (spec_id === undefined) throw validationError({ field: "spec_id", constraint: "required" });
  if (spec_id !== "my-book") throw notFound("spec", spec_id);
  const query = { tool: "task", action: "list", filters: { spec_id } };
  const page = pageSorted(tasks, { query, limit, cursor, key: (task) => [task.task_id] });
  return successResponse({ tasks: page.rows }, { pagination: page.pagination });
}

/** Every call goes through this function, which also converts a thrown error to an envelope. */
function call(input: Parameters<typeof listTasks>[0]): Envelope<{ tasks: readonly Task[] }> {
  try {
    return listTasks(input);
  } catch (thrown) {
    return fromUnknown(thrown, { requestId: "req_0123456789ab" });
  }
}

step("1. A success carries its payload in data, and where the page stands in meta");
const first = call({ spec_id: "my-book", limit: 2 });
show(first);
assert.deepEqual(checkEnvelope(first), []);

step("2. The cursor leads through the whole list: nothing twice, nothing missing");
const seen: string[] = [];
let cursor: string | null = null;
do {
  const page = call({ spec_id: "my-book", cursor });
  assert(page.success);
  seen.push(...page.data.tasks.map((task) => task.task_id));
  cursor = page.meta.pagination?.cursor ?? null;
} while (cursor !== null);
console.log(`walked ${seen.length} tasks, ${new Set(seen).size} of them different`);
assert.deepEqual(
  seen,
  tasks.map((task) => task.task_id),
);

step("3. A failure says what went wrong, in which field, and what to do next");
const missing = call({});
show(missing);
assert.equal(toHttpStatus(missing), 400);
const unknown = call({ spec_id: "my-bok" });
show(unknown);
assert(!unknown.success && unknown.data.error_code === "SPEC_NOT_FOUND");

step("4. A program knows whether to try again, and when");
const limited = fromUnknown(
  rateLimited({ limit: 100, period: "minute", resetAt: "2026-01-15T10:30:00Z", retryAfter: 45 }),
);
console.log(`${limited.data.error_code}: try again? ${isRetryable(limited)}, after ${retryAfter(limited)} s`);
assert.deepEqual([isRetryable(limited), retryAfter(limited), isRetryable(unknown)], [true, 45, false]);

step("5. What JSON cannot hold never becomes a broken answer: the place is named instead");
const { text } = encodeEnvelope(successResponse({ report: { ratio: Number.NaN } }));
console.log(text);
assert.match(text, /\$\.data\.report\.ratio holds NaN/);

step("6. An answer that is too long is cut to the budget, and says what is missing");
const whole = successResponse({ report_id: "report-7", chapters: tasks });
const { envelope: fitted, dropped } = fitToBudget(whole, {
  maxTokens: 1_000,
  archive: { id: "archive-1", hash: `sha256:${"0".repeat(64)}` },
});
console.log(
  `${estimateTokens(serializeEnvelope(whole))} tokens became ${estimateTokens(serializeEnvelope(fitted))}`,
);
console.log(fitted.meta.warnings?.[0]);
assert(estimateTokens(serializeEnvelope(fitted)) <= 1_000 && dropped !== null);

step("7. The same answer in the dialect with tiers, and back without loss");
const v1 = toEnvelopeV1(first, { tier: "pro", toolId: "task", toolVersion: "1.0.0" });
console.log(JSON.stringify(v1));
const { envelope_v1: _, ...meta } = readEnvelope(v1).meta;
assert.deepEqual({ ...readEnvelope(v1), meta }, first);

console.log("\nAll seven steps hold.");

function step(title: string): void {
  console.log(`\n${title}`);
}

function show(envelope: Envelope<object>): void {
  console.log(serializeEnvelope(envelope));
}
