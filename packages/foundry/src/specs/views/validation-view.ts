import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  commandLines,
  fields,
  glyphsOf,
  indent,
  type Line,
  line,
  list,
  numberOf,
  pluralize,
  recordsOf,
  type Style,
  section,
  stack,
  styled,
  textOf,
  textsOf,
} from "@foundry-mcp/toolkit/terminal";
import { commandText } from "./parts.ts";

const severities = [
  ["error", "Errors", "red"],
  ["warning", "Warnings", "yellow"],
  ["info", "Notes", "dim"],
] as const;

/** Shows diagnostics, grouped by severity, each with the command that fixes the problem. */
export function validationView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const diagnostics = recordsOf(data["diagnostics"]);
  const id = textOf(data["spec_id"]);
  const isFixable = diagnostics.some(({ auto_fixable }) => auto_fixable === true);
  const known = severities.map(([name]) => name as string);
  const rest = diagnostics.filter(({ severity }) => !known.includes(textOf(severity)));
  const unlisted = numberOf(data["unlisted_count"]);
  return stack(
    headline(data, id, canvas),
    ...severities.map(([name, title, style]) =>
      groupLines(
        title,
        style,
        diagnostics.filter(({ severity }) => severity === name),
        canvas,
      ),
    ),
    groupLines("Others", "dim", rest, canvas),
    unlisted === 0 ? [] : [line(styled("dim", `${unlisted} more are counted but not listed.`))],
    isFixable && id !== ""
      ? section(
          "Fix what needs no decision",
          commandLines(commandText("validate", "fix", id), canvas, { indent: 2 }),
        )
      : [],
  );
}

function headline(data: UnknownRecord, id: string, canvas: Canvas): readonly Line[] {
  const { done, failed } = glyphsOf(canvas);
  const isValid = data["is_valid"] === true;
  const counts = [
    pluralize(numberOf(data["error_count"]), "error"),
    pluralize(numberOf(data["warning_count"]), "warning"),
    pluralize(numberOf(data["info_count"]), "note"),
  ].filter((text) => !text.startsWith("0 "));
  return [
    {
      lead: [isValid ? styled("green", done) : styled("red", failed), " "],
      text: [
        styled("bold", id),
        isValid ? " is valid" : " is not valid",
        counts.length === 0 ? "" : `: ${counts.join(", ")}`,
      ],
    },
    // The call succeeds even if there are errors, so a script needs the option `--strict` to detect them.
    ...(isValid ? [] : indent([line(styled("dim", "With --strict, the exit code is 1."))])),
  ];
}

function groupLines(
  title: string,
  style: Style,
  diagnostics: readonly UnknownRecord[],
  canvas: Canvas,
): readonly Line[] {
  if (diagnostics.length === 0) return [];
  return [
    line(styled(style, title)),
    ...indent(diagnostics.flatMap((each) => diagnosticLines(each, canvas))),
  ];
}

function diagnosticLines(diagnostic: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { code, message, count, location, locations } = diagnostic;
  const places = textsOf(locations).length === 0 ? textsOf(location) : textsOf(locations);
  const times = numberOf(count) > 1 ? ` (${numberOf(count)} times)` : "";
  const { hint, command } = fixOf(textOf(diagnostic["suggested_fix"]));
  return [
    { text: [textOf(message), times, styled("dim", ` [${textOf(code)}]`)], hang: ["  "] },
    ...indent([
      ...(places.length === 0 ? [] : [{ text: [styled("dim", "at "), places.join(", ")], hang: ["   "] }]),
      ...(hint === "" ? [] : [{ text: [hint], hang: ["  "] }]),
      ...(command === "" ? [] : commandLines(command, canvas, { indent: 4 })),
    ]),
  ];
}

/** Splits a suggestion such as "Set the plan. Call foundry-cli … ." into the advice and the command. */
function fixOf(suggestion: string): { readonly hint: string; readonly command: string } {
  const at = suggestion.lastIndexOf("Call ");
  if (at === -1) return { hint: suggestion, command: "" };
  return { hint: suggestion.slice(0, at).trim(), command: suggestion.slice(at + 5).replace(/\.$/, "") };
}

/** Shows the repairs that were made, and the problems that need a decision. */
export function fixView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const applied = recordsOf(data["actions"]).map(({ description, id }) => textOf(description) || textOf(id));
  const skipped = recordsOf(data["skipped"]).map(({ code, reason }) => `${textOf(code)}: ${textOf(reason)}`);
  if (applied.length + skipped.length === 0) return [line("Nothing to fix.")];
  return stack(
    section(data["dry_run"] === true ? "Dry run: would fix" : "Fixed", list(applied, canvas)),
    section("Not fixed", list(skipped, canvas)),
  );
}

/** Shows bottlenecks, cycles and the longest chain of dependencies. */
export function dependencyAnalysisView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { arrow } = glyphsOf(canvas);
  const cycles = Array.isArray(data["circular_deps"]) ? (data["circular_deps"] as readonly unknown[]) : [];
  const bottlenecks = recordsOf(data["bottlenecks"]).map((each) => {
    const id = textOf(each["task_id"]) || textOf(each["id"]);
    const count = numberOf(each["blocks_count"]) || textsOf(each["blocks"]).length;
    return `${id} ${textOf(each["title"])}${count === 0 ? "" : `: ${pluralize(count, "task waits", "tasks wait")} for it`}`;
  });
  return stack(
    fields(
      [
        ["Dependencies", textOf(data["dependency_count"])],
        ["Longest chain", textsOf(data["longest_chain"]).join(` ${arrow} `)],
        ["Ready", textsOf(data["ready"]).join(", ")],
      ],
      canvas,
    ),
    section("Bottlenecks", list(bottlenecks, canvas)),
    section(
      "Cycles",
      list(
        cycles.map((cycle) => textsOf(cycle).join(` ${arrow} `)).filter((text) => text !== ""),
        canvas,
      ),
    ),
  );
}
