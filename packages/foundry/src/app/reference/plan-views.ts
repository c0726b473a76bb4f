import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  glyphsOf,
  type Line,
  line,
  recordsOf,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";

/** Shows the plan that was created. */
export function createPlanView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [
    line(styled("green", glyphsOf(canvas).done), " Created ", styled("bold", textOf(data["plan_path"]))),
  ];
}

/** Shows the plans with their files. */
export function planListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const plans = recordsOf(data["plans"]);
  if (plans.length === 0) return [line("No plans.")];
  return plans.map(({ name, path }) => ({
    lead: [glyphsOf(canvas).bullet, " "],
    text: [styled("bold", textOf(name)), ` ${textOf(path)}`],
  }));
}
