import type { Context } from "@foundry-mcp/toolkit";
import { toCount } from "@foundry-mcp/toolkit/cli";
import type { ResearchReport } from "../runs/research-report.ts";

/** What nobody misses: files that are no documents, and what was named twice. */
const harmless: ReadonlySet<string> = new Set(["not_a_document", "repeated"]);

/** Warns of whatever a report is not based on, with the reasons: what could not be read, and what was left out. */
export function warnOfGaps({ counts, left_out }: ResearchReport, { warn }: Pick<Context, "warn">): void {
  if (counts.failed > 0)
    warn(
      "PARTIAL_FAILURE",
      `${counts.failed} of ${toCount(counts.sources, "source")} could not be read; the report names them`,
    );
  if (counts.left_out === 0) return;
  const reasons = countReasons(left_out.map(({ reason }) => reason));
  const told = [...reasons].map(([reason, count]) => `${reason} (${count})`).join(", ");
  const message = `${counts.left_out} left out, by reason: ${told}; the report names them`;
  if ([...reasons.keys()].every((reason) => harmless.has(reason))) warn(message);
  else warn("PARTIAL_FAILURE", message);
}

function countReasons(reasons: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
