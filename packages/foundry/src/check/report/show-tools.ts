import { widthOf } from "@foundry-mcp/toolkit/cli";
import type { CheckReport, ToolCoverage } from "../findings/check-report.ts";
import { type Page, toLine } from "./page.ts";
import { wrapText } from "./wrap.ts";

const heads = ["calls", "successes", "failures"] as const;
const numbers = heads.map((head) => head.length + 2).reduce((sum, columns) => sum + columns, 0);

/** How far each tool was exercised. */
export function showTools({ tools }: CheckReport, page: Page): readonly string[] {
  if (tools.length === 0) return [];
  const { colors, width } = page;
  const names = tools.map(({ tool }) => toLine(tool, width - numbers - 4));
  const column = Math.max("Tools".length, ...names.map((name) => widthOf(name) + 4));
  const head = heads.map((each) => `  ${each}`).join("");
  return [
    colors.bold(`${"Tools".padEnd(column)}${head}`),
    ...tools.flatMap((tool, index) => {
      const name = names[index] ?? "";
      const space = " ".repeat(column - 4 - widthOf(name));
      const counts = heads.map((each) => `  ${String(tool[each]).padStart(each.length)}`).join("");
      const mark = tool.status === "checked" ? colors.green("✓") : colors.yellow("?");
      return [`  ${mark} ${name}${space}${counts}`, ...showRemarks(tool, page)];
    }),
  ];
}

/** Why a tool was not checked stands above; what is said of the others, here. */
function showRemarks({ status, reason, unseen_actions: unseen = [] }: ToolCoverage, { width, colors }: Page) {
  const told = [
    ...(status === "checked" && reason !== undefined ? [reason] : []),
    ...(unseen.length === 0 ? [] : [`No success was seen of ${unseen.join(", ")}.`]),
  ];
  return told
    .flatMap((text) => wrapText(toLine(text, 3 * (width - 6)), width, { first: "      ", rest: "      " }))
    .map((line) => colors.dim(line));
}
