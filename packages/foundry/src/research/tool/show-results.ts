import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  fields,
  glyphsOf,
  indent,
  type Line,
  line,
  list,
  numberOf,
  pluralize,
  prose,
  recordOf,
  recordsOf,
  stack,
  styled,
  textOf,
  textsOf,
} from "@foundry-mcp/toolkit/terminal";
import type { ResearchReport } from "../runs/research-report.ts";

/** Shows one digest or several digests. */
export function digestView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  if (data["digests"] !== undefined) return batchLines(data, canvas);
  const source = recordOf(data["source"]);
  return digestLines(data, toHeading(source), textOf(source["content"]), canvas);
}

function batchLines(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { failed } = glyphsOf(canvas);
  const failures = recordsOf(data["failures"]);
  const left = recordsOf(data["left_out"]).map(({ name }) => textOf(name));
  return stack(
    ...recordsOf(data["digests"]).map((each) =>
      digestLines(each, toHeading(each), textOf(each["text"]), canvas),
    ),
    failures.flatMap(({ name, error, remediation }) => [
      { lead: [styled("red", failed), " "], text: [textOf(error) || textOf(name)] },
      ...indent(textOf(remediation) === "" ? [] : prose(textOf(remediation))),
    ]),
    left.length === 0 ? [] : [line(styled("dim", `Left out: ${left.join(", ")}`))],
    [
      line(
        styled(
          "bold",
          `${numberOf(data["digested"])} digested, ${numberOf(data["short"])} too short for that, ${failures.length} failed`,
        ),
      ),
    ],
  );
}

function digestLines(
  { digest: value, confidence, sections }: UnknownRecord,
  heading: string,
  fullText: string,
  canvas: Canvas,
): readonly Line[] {
  const places = recordsOf(sections);
  if (value === null || value === undefined)
    return stack([line(styled("bold", heading), styled("dim", " (too short to digest)"))], prose(fullText));
  const digest = recordOf(value);
  const share = `${numberOf(digest["digest_chars"])} of ${numberOf(digest["original_chars"])} characters`;
  return stack(
    [line(styled("bold", heading))],
    textOf(digest["summary"]) === "" ? [] : prose(textOf(digest["summary"])),
    ...recordsOf(digest["evidence_snippets"]).map((snippet, at) => quoteLines(snippet, places[at], canvas)),
    [
      ...(textOf(confidence) === "" ? [] : [line(styled("dim", `confidence ${textOf(confidence)}`))]),
      line(styled("dim", `${share}, ${textOf(digest["source_text_hash"])}`)),
    ],
  );
}

function quoteLines(
  { text, locator, relevance_score }: UnknownRecord,
  place: UnknownRecord | undefined,
  { unicode = true }: Canvas,
): readonly Line[] {
  const path = textsOf(place?.["path"]).join(unicode ? " › " : " > ");
  const [open, close] = unicode ? ["“", "”"] : ['"', '"'];
  const score = typeof relevance_score === "number" ? `, relevance ${relevance_score.toFixed(2)}` : "";
  return indent([
    ...prose(`${open}${textOf(text)}${close}`),
    ...(path === "" ? [] : [line(styled("dim", path))]),
    line(styled("dim", `${textOf(locator)}${score}`)),
  ]);
}

/** Returns the heading of a source. The heading includes the name, because titles are not unique. */
function toHeading({ name, title }: UnknownRecord): string {
  return textOf(title) === "" ? textOf(name) : `${textOf(title)} (${textOf(name)})`;
}

/** A report as data or as Markdown. */
export type ShownReport =
  | ResearchReport
  | (Pick<ResearchReport, "research_id" | "counts"> & { readonly markdown: string });

/** Shows a report. The summary is first, followed by every finding with its sources. */
export function reportView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  if (typeof data["markdown"] === "string") return prose(data["markdown"]);
  const { failed } = glyphsOf(canvas);
  const sources = recordsOf(data["sources"]);
  const names = new Map(
    sources.map(({ source_id, title, name }) => [textOf(source_id), textOf(title) || textOf(name)]),
  );
  const findings = recordsOf(data["findings"]);
  const numbers = new Map(findings.map(({ id }, at) => [textOf(id), at + 1]));
  return stack(
    [line(styled("bold", textOf(data["question"])))],
    textOf(data["summary"]) === "" ? [] : prose(textOf(data["summary"])),
    [line(styled("dim", `confidence ${textOf(data["confidence"])}`))],
    ...recordsOf(data["themes"]).map(({ title, findings: ids }) => [
      line(styled("bold", textOf(title))),
      ...findings
        .filter(({ id }) => textsOf(ids).includes(textOf(id)))
        .flatMap((finding) => findingLines(finding, numbers, names)),
    ]),
    recordsOf(data["disagreements"]).map(({ findings: pair, about }) => {
      const [one, other] = textsOf(pair).map((id) => `[${numbers.get(id) ?? 0}]`);
      return line(`${one} and ${other} may disagree, by ${textOf(about)}`);
    }),
    textsOf(data["not_found"]).length === 0
      ? []
      : [line(`Not found: ${textsOf(data["not_found"]).join(", ")}`)],
    sources
      .filter(({ outcome }) => outcome === "failed")
      .map(({ name, error }) => ({
        lead: [styled("red", failed), " "],
        text: [`${textOf(name)}: ${textOf(error)}`],
      })),
  );
}

function findingLines(
  { id, claim, citations }: UnknownRecord,
  numbers: ReadonlyMap<string, number>,
  names: ReadonlyMap<string, string>,
): readonly Line[] {
  return [
    { lead: [styled("bold", `[${numbers.get(textOf(id)) ?? 0}]`), " "], text: [textOf(claim)] },
    ...recordsOf(citations).map(({ source_id, section, locator }) => ({
      lead: ["    "],
      text: [
        styled(
          "dim",
          [
            names.get(textOf(source_id)) ?? textOf(source_id),
            ...textsOf(section).slice(-1),
            textOf(locator),
          ].join(", "),
        ),
      ],
    })),
  ];
}

/** Shows whether every quote is in its source. */
export function verificationView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  // This view shows only the check of each quote. All other failures are shown as errors.
  if (data["snippets"] === undefined) return [];
  const { done, failed } = glyphsOf(canvas);
  const wrong = recordsOf(data["snippets"]).filter(({ verified }) => verified !== true);
  const mark = styled("red", failed);
  return [
    data["verified"] === true
      ? line(
          styled("green", done),
          ` ${pluralize(numberOf(data["checked"]), "quote")} checked: all are in the source`,
        )
      : line(mark, " Not verified"),
    ...wrong.map(({ locator, source_text_hash, reason }): Line => {
      const why = reason === undefined ? "not there" : "not checked: the text is not kept";
      return { lead: [mark, " "], text: [`${textOf(locator)} of ${textOf(source_text_hash)}: ${why}`] };
    }),
    ...list(textsOf(data["problems"]), canvas, mark),
  ];
}

/** Shows the state of a research run. */
export function runView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [line(styled("bold", textOf(data["question"]))), ...indent(runFields(data, canvas))];
}

/** Shows research runs, newest first. */
export function runListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const runs = recordsOf(data["researches"]);
  if (runs.length === 0) return [line("No research runs.")];
  return stack(...runs.map((run) => runView(run, canvas)));
}

/** Shows that a research run was deleted. */
export function deleteRunView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [
    line(styled("green", glyphsOf(canvas).done), " Deleted ", styled("bold", textOf(data["research_id"]))),
  ];
}

const outcomes = ["digested", "short", "failed", "duplicate", "left_out"];

function runFields(run: UnknownRecord, canvas: Canvas): readonly Line[] {
  const progress = recordOf(run["progress"]);
  const counts = outcomes
    .filter((name) => numberOf(progress[name]) > 0)
    .map((name) => `${numberOf(progress[name])} ${name.replaceAll("_", " ")}`);
  const done = `${numberOf(progress["done"])} of ${numberOf(progress["total"])} sources`;
  return fields(
    [
      ["Id", textOf(run["research_id"])],
      ["State", textOf(run["state"])],
      ["Done", counts.length === 0 ? done : `${done}: ${counts.join(", ")}`],
      ["Started", age(textOf(run["created_at"]), canvas)],
      ["Error", textOf(run["error"])],
    ],
    canvas,
  );
}
