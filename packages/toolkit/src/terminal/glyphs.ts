import type { Canvas } from "../define/action.ts";

/** The symbols that views use. */
export interface Glyphs {
  readonly done: string;
  readonly open: string;
  readonly started: string;
  readonly blocked: string;
  readonly failed: string;
  readonly warning: string;
  readonly bullet: string;
  readonly dash: string;
  readonly arrow: string;
  readonly ellipsis: string;
  readonly branch: string;
  readonly lastBranch: string;
  readonly trunk: string;
  readonly barDone: string;
  readonly barOpen: string;
}

const unicode: Glyphs = {
  done: "✓",
  open: "○",
  started: "◐",
  blocked: "■",
  failed: "✗",
  warning: "!",
  bullet: "•",
  dash: "–",
  arrow: "→",
  ellipsis: "…",
  branch: "├─ ",
  lastBranch: "└─ ",
  trunk: "│  ",
  barDone: "█",
  barOpen: "░",
};

const ascii: Glyphs = {
  done: "+",
  open: "o",
  started: ">",
  blocked: "#",
  failed: "x",
  warning: "!",
  bullet: "*",
  dash: "-",
  arrow: "->",
  ellipsis: "...",
  branch: "|- ",
  lastBranch: "`- ",
  trunk: "|  ",
  barDone: "#",
  barOpen: ".",
};

/** Returns the symbols that a canvas can show. */
export function glyphsOf({ unicode: hasUnicode = true }: Pick<Canvas, "unicode">): Glyphs {
  return hasUnicode ? unicode : ascii;
}

/**
 * True if the locale is UTF-8 and the variable TERM is not `dumb`. Containers and Windows often set no locale
 * although their terminals show UTF-8, so a missing locale counts as UTF-8.
 */
export function showsUnicode({
  LC_ALL: all,
  LC_CTYPE: type,
  LANG: language,
  TERM: terminal,
}: Readonly<Record<string, string | undefined>>): boolean {
  if (terminal === "dumb") return false;
  const locale = [all, type, language].find((each) => each !== undefined && each !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}
