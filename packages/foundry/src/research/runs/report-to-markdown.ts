import { pluralize } from "@foundry-mcp/toolkit/cli";
import type { LeftOut } from "../documents/list-documents.ts";
import type {
  Citation,
  Disagreement,
  Finding,
  ReportedSource,
  ResearchReport,
  Theme,
} from "./research-report.ts";

/** Renders a report as Markdown. Texts from sources are escaped, so that they cannot become headings, links or HTML. */
export function reportToMarkdown(report: ResearchReport): string {
  const {
    question,
    summary,
    findings,
    themes,
    disagreements,
    not_found,
    sources,
    left_out,
    counts,
    fallback,
  } = report;
  const numbers = new Map(findings.map(({ id }, at) => [id, at + 1]));
  const names = new Map(sources.map((source) => [source.source_id, source]));
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  const cited = new Set(findings.flatMap(({ citations }) => citations.map(({ source_id }) => source_id)));
  const read = sources.filter(({ source_id, outcome }) => outcome !== "failed" && !cited.has(source_id));
  const blocks = [
    `# ${toLine(question)}`,
    toLine(summary),
    `Confidence: ${report.confidence}. ${pluralize(counts.findings, "finding")} from ${pluralize(counts.matched, "source")} of ${counts.sources} (\`${report.research_id}\`).`,
    ...(fallback === undefined ? [] : [`The summary is an extract: ${toLine(fallback.reason)}`]),
    ...themes.flatMap((theme) => toTheme(theme, findings, names, numbers)),
    ...(counts.findings_left_out === 0
      ? []
      : [
          `${pluralize(counts.findings_left_out, "further passage")} matched less and ${counts.findings_left_out === 1 ? "is" : "are"} left out.`,
        ]),
    ...(disagreements.length === 0
      ? []
      : ["## Possible disagreements", disagreements.map((each) => toDisagreement(each, numbers)).join("\n")]),
    ...(not_found.length === 0
      ? []
      : ["## Not found", `No finding mentions ${not_found.map(toInline).join(", ")}.`]),
    "## Sources",
    cited.size === 0
      ? "None is cited."
      : sources
          .filter(({ source_id }) => cited.has(source_id))
          .map(toSource)
          .join("\n"),
    ...(read.length === 0 ? [] : [`Read, and not cited: ${toNames(read)}.`]),
    ...(failed.length === 0 ? [] : ["## Could not be read", failed.map(toFailure).join("\n")]),
    ...(left_out.length === 0 ? [] : ["## Left out", toLeftOut(left_out, counts.left_out)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function toTheme(
  { title, findings: ids }: Theme,
  findings: readonly Finding[],
  names: ReadonlyMap<string, ReportedSource>,
  numbers: ReadonlyMap<string, number>,
): readonly string[] {
  const own = findings.filter(({ id }) => ids.includes(id));
  return [`## ${toLine(title)}`, ...own.map((each) => toFinding(each, numbers.get(each.id) ?? 0, names))];
}

/** Renders the claim as a quote, with its places below. */
function toFinding(
  { claim, citations }: Finding,
  number: number,
  names: ReadonlyMap<string, ReportedSource>,
): string {
  const places = citations.map((citation) => toPlace(citation, names.get(citation.source_id)));
  return `**[${number}]** ${toInline(claim)}\n\n${places.join("\n")}`;
}

function toPlace({ source_id, section = [], locator }: Citation, source: ReportedSource | undefined): string {
  const name = source === undefined ? "" : ` ${toInline(source.name)},`;
  const where = section.length === 0 ? "" : ` ${section.map(toInline).join(" › ")},`;
  return `- ${source_id},${name}${where} \`${locator}\``;
}

function toDisagreement({ findings, about }: Disagreement, numbers: ReadonlyMap<string, number>): string {
  const [one, other] = findings.map((id) => `[${numbers.get(id) ?? 0}]`);
  return about === "numbers"
    ? `- ${one} and ${other} say nearly the same with other numbers.`
    : `- ${one} denies what ${other} says, or the other way round.`;
}

/** The maximum number of sources that are named without being cited. */
const maxNames = 20;

function toNames(sources: readonly ReportedSource[]): string {
  const shown = sources.slice(0, maxNames).map(({ source_id, name, outcome, duplicate_of }) => {
    const same = outcome === "duplicate" ? `, the same as ${duplicate_of}` : "";
    return `${toInline(name)} (${source_id}${same})`;
  });
  return [...shown, ...(sources.length > maxNames ? [`and ${sources.length - maxNames} more`] : [])].join(
    ", ",
  );
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

/** Converts a text to one line in which all Markdown is escaped, for the beginning of a line. */
function toLine(text: string): string {
  return (
    toInline(text)
      // Lists, rules and headings begin only at the start of a line.
      .replace(/^(?=[-+=:#])/, "\\")
      .replace(/^(\d+)(?=[.)])/, "$1\\")
  );
}

/** Converts a text to one line in which all Markdown is escaped, for the middle of a line. */
function toInline(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(invisible, " ")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[\\`*<>|&$@]|~(?=~)|(?<=~)~/g, "\\$&")
      // A bracket is markup only in a link, a link definition or a footnote.
      .replace(/\](?=\s?[[(:])|\[(?=\^)|\[(?=[ xX]\])/g, "\\$&")
      // An underscore between letters is no markup.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      // A number behind a hash sign would become a link to an issue.
      .replace(/#(?=\d)/g, "\\#")
      // A bare URL would become a link that includes the punctuation after it.
      .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
  );
}
