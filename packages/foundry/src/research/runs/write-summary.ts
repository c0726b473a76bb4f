import type { Finding } from "./research-report.ts";

const summaryClaims = 3;
/** In code points; what a model writes beyond it is no summary. */
const longestSummary = 4_000;

/** A summary of the best claims, each with the number of its finding; it says so where there is none. */
export function extractSummary(findings: readonly Finding[], read: number): string {
  if (findings.length > 0)
    return findings
      .slice(0, summaryClaims)
      .map(({ claim }, at) => `${claim} [${at + 1}]`)
      .join(" ");
  return read === 0
    ? "No source could be read, so nothing is known about the question."
    : "No source says anything about the question.";
}

/** What a model wrote, if it is a summary; undefined for nothing, and for what is far too long. */
export function acceptSummary(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const summary = value.toWellFormed().trim();
  return summary === "" || summary.length > 2 * longestSummary ? undefined : summary;
}
