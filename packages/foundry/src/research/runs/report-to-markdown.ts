import { pluralize } from "@foundry-mcp/toolkit/cli";
import type { LeftOut } from "../documents/list-documents.ts";
import type { Citation, Finding, ReportedSource, ResearchReport } from "./research-report.ts";

/** Renders a report as Markdown. Texts of sources are escaped: they cannot become headings, links or HTML. */
export function reportToMarkdown(report: ResearchReport): string {
  const { question, summary, findings, sources, left_out, counts, fallback } = report;
  const names = new Map(sources.map((source) => [source.source_id, source]));
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  const blocks = [
    `# ${toLine(question)}`,
    toLine(summary),
    ...(fallback === undefined ? [] : [`The summary is an extract: ${toLine(fallback.reason)}`]),
    `${pluralize(counts.findings, "finding")} from ${pluralize(counts.matched, "source")} of ${counts.sources} (\`${report.research_id}\`).`,
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
  const facts = [
    outcome === "duplicate" ? `the same as ${duplicate_of}` : outcome,
    ...(quality === undefined ? [] : [`quality ${quality.level}`]),
    ...(chars === undefined ? [] : [pluralize(chars, "character")]),
  ];
  const shown = title === undefined || title === name ? toLine(name) : `${toLine(title)} (${toLine(name)})`;
  return `- **${source_id}** ${shown}: ${facts.join(", ")}`;
}

function toFailure(source: ReportedSource): string {
  return `- **${source.source_id}** ${toProblem(source)}`;
}

function toLeftOut(shown: readonly LeftOut[], count: number): string {
  const lines = shown.map((each) => `- ${toProblem(each)}`);
  return [...lines, ...(count > shown.length ? [`- and ${count - shown.length} more`] : [])].join("\n");
}

function toProblem({ name, error = "", remediation = "" }: ReportedSource | LeftOut): string {
  const sentence = /[.!?]$/.test(error) ? error : `${error}.`;
  return `${toLine(name)}: ${toLine(`${sentence} ${remediation}`)}`;
}

/** Control characters, byte order marks, and characters that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
const invisible = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** Converts a text to one line with all Markdown escaped. */
function toLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(invisible, " ")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[\\`*_[\]<>|~&#$@]/g, "\\$&")
      // A bare URL would become a link that includes the marks behind it.
      .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
      // Lists, rules and headings begin only at the start of a line.
      .replace(/^(?=[-+=:])/, "\\")
      .replace(/^(\d+)(?=[.)])/, "$1\\")
  );
}
