import type { Citation, Finding, ReportedSource, ResearchReport } from "./research-report.ts";
import type { LeftOut } from "./run-deps.ts";

/** The report for people. Whatever sources hold stays text: it cannot become a heading, a link or a page of its own. */
export function toMarkdown(report: ResearchReport): string {
  const { question, summary, findings, sources, left_out, counts, fallback } = report;
  const names = new Map(sources.map((source) => [source.source_id, source]));
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  const blocks = [
    `# ${toLine(question)}`,
    toLine(summary),
    ...(fallback === undefined ? [] : [`The summary is an extract: ${toLine(fallback.reason)}`]),
    `${countWords(counts.findings, "finding")} from ${countWords(counts.matched, "source")} of ${counts.sources} (\`${report.research_id}\`).`,
    ...(findings.length === 0
      ? []
      : ["## Findings", ...findings.map((each, at) => toFinding(each, at + 1, names))]),
    ...(counts.findings_left_out === 0 ? [] : [`${counts.findings_left_out} more are left out.`]),
    "## Sources",
    sources.length === 0 ? "None." : sources.map(toSource).join("\n"),
    ...(failed.length === 0 ? [] : ["## Could not be read", failed.map(toFailure).join("\n")]),
    ...(left_out.length === 0 ? [] : ["## Left out", toLeftOut(left_out, counts.left_out)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function toFinding(
  { citations }: Finding,
  number: number,
  names: ReadonlyMap<string, ReportedSource>,
): string {
  const quotes = citations.map((citation) => toQuote(citation, names.get(citation.source_id)));
  return [`### [${number}]`, ...quotes].join("\n\n");
}

function toQuote({ text, source_id, locator }: Citation, source: ReportedSource | undefined): string {
  const name = source === undefined ? "" : ` ${toLine(source.title ?? source.name)},`;
  return `> ${toLine(text)}\n>\n> — ${source_id},${name} \`${locator}\``;
}

function toSource({ source_id, name, title, outcome, quality, chars, duplicate_of }: ReportedSource): string {
  const told = [
    outcome === "duplicate" ? `the same as ${duplicate_of}` : outcome,
    ...(quality === undefined ? [] : [`quality ${quality.level}`]),
    ...(chars === undefined ? [] : [countWords(chars, "character")]),
  ];
  const shown = title === undefined || title === name ? toLine(name) : `${toLine(title)} (${toLine(name)})`;
  return `- **${source_id}** ${shown}: ${told.join(", ")}`;
}

function toFailure({ source_id, name, error = "", remediation = "" }: ReportedSource): string {
  return `- **${source_id}** ${toLine(name)}: ${toLine(`${withStop(error)} ${remediation}`)}`;
}

function toLeftOut(shown: readonly LeftOut[], count: number): string {
  const lines = shown.map(
    ({ name, error, remediation = "" }) =>
      `- ${toLine(name)}: ${toLine(`${withStop(error)} ${remediation}`)}`,
  );
  return [...lines, ...(count > shown.length ? [`- and ${count - shown.length} more`] : [])].join("\n");
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Characters that only machines read, and those that turn the direction of what stands behind them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** A text as one line in which nothing is a mark of Markdown. */
function toLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(unseen, " ")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[\\`*_[\]<>|~&#$@]/g, "\\$&")
      // Addresses would be links, and take the marks behind them along.
      .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
      // What makes lists, rules and headings does so at the beginning of a line only.
      .replace(/^(?=[-+=:])/, "\\")
      .replace(/^(\d+)(?=[.)])/, "$1\\")
  );
}
