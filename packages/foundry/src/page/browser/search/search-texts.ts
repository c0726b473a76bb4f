import { callTool } from "../api/call-tool.ts";
import type { Answer } from "../api/envelope.ts";

/** A text of a spec that contains all words. */
export interface SearchHit {
  readonly spec_id: string;
  readonly task_id?: string;
  readonly field: string;
  readonly title?: string;
  readonly snippet: string;
}

/** Searches the texts of all specs. */
export function searchTexts(
  query: string,
  limit: number,
  cursor?: string,
  signal?: AbortSignal,
): Promise<Answer<{ readonly hits: readonly SearchHit[]; readonly total_count: number }>> {
  const page = cursor === undefined ? {} : { cursor };
  return callTool(
    "spec",
    { action: "search", query: query.slice(0, 500), limit, max_tokens: 0, ...page },
    signal,
  );
}
