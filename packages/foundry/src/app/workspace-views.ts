import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  commandLines,
  glyphsOf,
  type Line,
  line,
  list,
  numberOf,
  recordsOf,
  section,
  stack,
  styled,
  textOf,
  textsOf,
} from "@foundry-mcp/toolkit/terminal";

/** Shows all checks, and a remedy for each failed check. */
export function doctorView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { done, failed } = glyphsOf(canvas);
  const checks = recordsOf(data["checks"]);
  const columns = Math.max(0, ...checks.map(({ name }) => textOf(name).length));
  const isBeside = canvas.width === undefined || columns < canvas.width / 3;
  const rows = checks.map(({ name, ok, message }): Line => {
    const mark = ok === true ? styled("green", done) : styled("red", failed);
    const label = isBeside ? textOf(name).padEnd(columns) : `${textOf(name)}:`;
    return isBeside
      ? { lead: [mark, " ", styled("bold", label), "  "], text: [textOf(message)] }
      : { lead: [mark, " "], text: [styled("bold", label), ` ${textOf(message)}`] };
  });
  const broken = checks.filter(({ ok }) => ok !== true).length;
  const verdict =
    data["ok"] === true
      ? [line("Everything works.")]
      : [line(styled("red", `${broken} of ${checks.length} checks failed.`))];
  return checks.length === 0 ? [] : stack(rows, verdict);
}

/** Shows the files that were created, and the next commands to type. */
export function initView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { done, bullet } = glyphsOf(canvas);
  const created = textsOf(data["created"]);
  const changed = textsOf(data["changed"]);
  const isNew = created.length + changed.length > 0;
  return stack(
    [
      line(
        isNew ? "The workspace is ready: " : "The workspace was ready already: ",
        styled("bold", textOf(data["workspace"])),
      ),
    ],
    section("Created", list(created, canvas, styled("green", done))),
    section("Changed", list(changed, canvas, styled("green", done))),
    section("Kept", list(textsOf(data["kept"]), canvas, styled("dim", bullet))),
    section(
      "Next",
      textsOf(data["next"]).flatMap((text) => commandLines(text, canvas, { indent: 2 })),
    ),
  );
}

/** Shows the versions in one line. */
export function versionView(data: UnknownRecord, _canvas: Canvas): readonly Line[] {
  const { name, version, node, platform } = data;
  const facts = [textOf(node) === "" ? "" : `Node ${textOf(node)}`, textOf(platform)].filter(
    (text) => text !== "",
  );
  return [
    line(
      styled("bold", textOf(name)),
      ` ${textOf(version)}`,
      styled("dim", facts.length === 0 ? "" : ` (${facts.join(", ")})`),
    ),
  ];
}

/** Shows the specs that were copied, and the reasons why other specs were skipped. */
export function copyView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { done, failed, dash } = glyphsOf(canvas);
  const rows = recordsOf(data["specs"]).map(({ id, spec_id, outcome, error }): Line => {
    const isKept = outcome === "kept";
    const mark =
      outcome === "failed" ? styled("red", failed) : isKept ? styled("dim", dash) : styled("green", done);
    return {
      lead: [mark, " "],
      text: [
        styled("bold", textOf(id) || textOf(spec_id)),
        ` ${textOf(outcome).replaceAll("_", " ")}`,
        textOf(error) === "" ? "" : `: ${textOf(error)}`,
      ],
    };
  });
  const counts = ["copied", "would_copy", "would_replace", "kept", "failed"]
    .filter((name) => data[name] !== undefined)
    .map((name) => `${numberOf(data[name])} ${name.replaceAll("_", " ")}`);
  return stack(rows, counts.length === 0 ? [] : [line(counts.join(", "))]);
}
