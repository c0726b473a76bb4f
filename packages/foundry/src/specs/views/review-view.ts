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
  prose,
  recordOf,
  recordsOf,
  type Span,
  type Style,
  section,
  stack,
  styled,
  textOf,
  textsOf,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, named, nextCommands, progressBar, statusMark, statusWords, tallyOf } from "./parts.ts";
import { noteSections } from "./spec-view.ts";

/**
 * Shows the data that a reviewer needs: the work with its criteria, the evidence, earlier reviews, and the
 * changed files.
 */
export function reviewBundleView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const task = textOf(data["task_id"]);
  const id = textOf(data["spec_id"]);
  const diff = recordOf(data["diff"]);
  return stack(
    [line(styled("bold", textOf(data["title"]) || id)), line(styled("dim", [id, task].join(" ").trimEnd()))],
    fields(
      [
        ["Mission", textOf(data["mission"])],
        ["Progress", progressBar(tallyOf(data["progress"]), canvas)],
        ["Work hash", textOf(data["work_hash"])],
      ],
      canvas,
    ),
    section(
      "Work",
      recordsOf(data["tasks"]).flatMap((each) => workLines(each, canvas)),
    ),
    ...noteSections(data, canvas),
    section(
      "Evidence",
      recordsOf(data["evidence"]).flatMap((each) => evidenceLines(each, canvas)),
    ),
    section(
      "Reviews",
      recordsOf(data["reviews"]).flatMap((each) => reviewLines(each, canvas)),
    ),
    section("Changed files", fileLines(diff)),
    nextCommands(canvas, [
      ...["review", "add", id],
      ...(task === "" ? [] : [task]),
      ...["--verdict", "approved", "--summary", "SUMMARY"],
      ...(textOf(data["work_hash"]) === "" ? [] : ["--work-hash", textOf(data["work_hash"])]),
    ]),
  );
}

function workLines(task: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [
    { lead: [statusMark(task["status"], canvas), " "], text: named(task["task_id"], task["title"]) },
    ...indent(list(textsOf(task["acceptance_criteria"]), canvas), 2),
  ];
}

function evidenceLines(evidence: UnknownRecord, canvas: Canvas): readonly Line[] {
  const last = recordOf(evidence["last"]);
  const result = textOf(last["result"]);
  const facts = [textOf(last["notes"]), textOf(last["author"]), age(textOf(last["verified_at"]), canvas)];
  return [
    {
      lead: [statusMark(evidence["status"], canvas), " "],
      text: named(evidence["verify_id"], evidence["title"]),
    },
    ...indent([
      result === ""
        ? line(styled("dim", "no result yet"))
        : line(
            resultSpan(result),
            last["stale"] === true ? styled("yellow", " (the work has changed since)") : "",
            styled("dim", ` ${facts.filter((text) => text !== "").join(", ")}`),
          ),
    ]),
  ];
}

/** Returns a result in its color. */
export function resultSpan(result: string): Span {
  return styled(result === "PASSED" ? "green" : result === "FAILED" ? "red" : "yellow", result);
}

const verdictStyles: Readonly<Record<string, Style>> = {
  approved: "green",
  changes_requested: "red",
  commented: "yellow",
};

function reviewLines(review: UnknownRecord, canvas: Canvas): readonly Line[] {
  const verdict = textOf(review["verdict"]);
  const style = Object.hasOwn(verdictStyles, verdict) ? (verdictStyles[verdict] ?? "dim") : "dim";
  const facts = [textOf(review["author"]), age(textOf(review["reviewed_at"]), canvas)].filter(
    (text) => text !== "",
  );
  const summary = textOf(review["summary"]);
  return [
    line(
      styled(style, statusWords(verdict) || "review"),
      ` ${textOf(review["task_id"]) || "the whole spec"}`,
      review["stale"] === true ? styled("yellow", " (the work has changed since)") : "",
      styled("dim", facts.length === 0 ? "" : `  ${facts.join(", ")}`),
    ),
    ...indent([...(summary === "" ? [] : prose(summary)), ...recordsOf(review["findings"]).map(findingLine)]),
  ];
}

function findingLine({ severity, message, file, line: number, task_id }: UnknownRecord): Line {
  const row = textOf(number);
  const place = [textOf(file) === "" ? "" : `${textOf(file)}${row === "" ? "" : `:${row}`}`, textOf(task_id)];
  const where = place.filter((text) => text !== "").join(" ");
  const isGrave = severity === "critical" || severity === "major";
  return {
    text: [
      styled(isGrave ? "red" : "yellow", textOf(severity)),
      where === "" ? "" : ` ${where}`,
      `: ${textOf(message)}`,
    ],
    hang: ["  "],
  };
}

function fileLines(diff: UnknownRecord): readonly Line[] {
  const files = recordsOf(diff["files"]).map(
    (file): Line => ({
      text: [
        `${textOf(file["path"])} `,
        styled("green", `+${numberOf(file["lines_added"])}`),
        " ",
        styled("red", `-${numberOf(file["lines_removed"])}`),
      ],
      hang: ["  "],
    }),
  );
  const left = recordsOf(diff["omitted"]).length;
  return left === 0 ? files : [...files, line(styled("dim", `${left} more are not shown`))];
}

/** Shows reviews; the newest review comes first. */
export function reviewListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const reviews = recordsOf(data["reviews"]);
  if (reviews.length === 0) return [line("No reviews.")];
  return stack(
    ...reviews.map((review) => reviewLines(review, canvas)),
    countLine(reviews.length, data, "reviews"),
  );
}

/** Shows the review that was recorded. */
export function addReviewView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return recordedLines(data, canvas, [
    "the review of ",
    styled("bold", textOf(data["task_id"]) || textOf(data["spec_id"])),
    `: ${statusWords(data["verdict"])}`,
    data["stale"] === true ? styled("yellow", " (the work has changed since it was prepared)") : "",
    ...(textOf(data["verification_result"]) === ""
      ? []
      : ["; as a verification ", resultSpan(textOf(data["verification_result"]))]),
  ]);
}

/** Shows the result of a verification that was recorded or run. */
export function verificationView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const result = textOf(data["result"]);
  const argv = textsOf(data["argv"]);
  const text: readonly Span[] = [
    styled("bold", textOf(data["verify_id"])),
    ...(result === "" ? [] : [" ", resultSpan(result)]),
    data["is_current"] === false ? styled("yellow", " (the work has changed since)") : "",
    data["reopened"] === true ? "; the verification is open again" : "",
  ];
  const exit = textOf(data["exit_code"]);
  const output = textOf(data["output_tail"]);
  return stack(
    data["recorded"] === false ? [line("Not recorded: ", ...text)] : recordedLines(data, canvas, text),
    fields(
      [
        ["Command", argv.join(" ")],
        ["Exit code", exit],
        [
          "Duration",
          data["duration_ms"] === undefined ? "" : `${(numberOf(data["duration_ms"]) / 1_000).toFixed(1)} s`,
        ],
        ["Output", textOf(data["output_file"]) || textOf(data["archive_id"]) || textOf(data["output_hash"])],
      ],
      canvas,
    ),
    output.trim() === "" ? [] : section("End of the output", prose(output)),
  );
}

function recordedLines(data: UnknownRecord, canvas: Canvas, text: readonly Span[]): readonly Line[] {
  const isDry = data["dry_run"] === true;
  const { done, open } = glyphsOf(canvas);
  return [
    {
      lead: [isDry ? styled("dim", open) : styled("green", done), " "],
      text: [isDry ? "Dry run: would record " : "Recorded ", ...text],
    },
  ];
}
