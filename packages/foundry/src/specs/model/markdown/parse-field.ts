import type { FieldValue } from "./draft.ts";
import { noId, trimSpaces, unescapeInline } from "./escape-text.ts";
import type { Field } from "./fields.ts";
import type { ListItem } from "./parse-blocks.ts";
import { blockText, joinRanges, type ParseContext, reportComment, reportLoss } from "./parse-context.ts";
import { parseCheckbox } from "./parse-task-marker.ts";

/** Reads the value of a field: what stands behind its label, and what is below it. */
export function parseField(
  reading: ParseContext,
  { kind, label, isCode }: Field,
  value: string,
  { from, blocks }: Pick<ListItem, "from" | "blocks">,
): FieldValue | undefined {
  const { texts, entries } = parseNestedBlocks(reading, blocks);
  const text = joinRanges(
    value === ""
      ? texts
      : [{ from, to: from + 1, text: isCode ? unquote(value) : unescapeInline(value) }, ...texts],
  );
  const isList =
    kind === "list" || kind === "ids" || (kind === "either" && entries.length > 0 && text === "");
  if (isList) {
    const inline = kind === "list" || kind === "either" ? splitList(value) : splitIds(value);
    const own = value === "" ? [] : inline;
    const list = [...own, ...texts.map((each) => each.text), ...entries];
    return list.length === 0 ? undefined : list;
  }
  const all = [text, ...entries.map((entry) => `- ${entry}`)].filter((each) => each !== "").join("\n");
  if (all === "") return undefined;
  return kind === "hours" ? parseHours(reading, label, all, from) : all;
}

interface Below {
  readonly texts: readonly { readonly from: number; readonly to: number; readonly text: string }[];
  readonly entries: readonly string[];
}

function parseNestedBlocks(reading: ParseContext, blocks: ListItem["blocks"]): Below {
  const texts: { from: number; to: number; text: string }[] = [];
  const entries: string[] = [];
  for (const block of blocks) {
    if (block.kind === "comment") reportComment(reading, block);
    else if (block.kind === "item") {
      const entry = parseListEntry(reading, block);
      if (entry !== undefined) entries.push(entry);
    } else if (block.kind !== "heading")
      texts.push({ from: block.from, to: block.to, text: blockText(reading, block) });
  }
  return { texts, entries };
}

/** Reads an item that is no task: its box goes, and with it what was done. */
export function parseListEntry(reading: ParseContext, item: ListItem): string | undefined {
  const { status, rest } = parseCheckbox(item.text);
  if (status !== undefined && status !== "pending")
    reportLoss(reading, item.from, "Only tasks are done or not: the box is left out");
  const own = unescapeInline(rest);
  const below = item.blocks.flatMap((block) => {
    if (block.kind === "comment") reportComment(reading, block);
    return block.kind === "comment" || block.kind === "heading" ? [] : [blockText(reading, block)];
  });
  // An entry that is empty on purpose is written as an empty number.
  if (item.text === "" && below.length === 0) return undefined;
  return [own, ...below].join("\n");
}

/** `1.5`, `1.5h`, `2 hours`, `~3 h`, `30 min` */
function parseHours(reading: ParseContext, label: string, text: string, at: number): number | undefined {
  const found =
    /^~?\s?(\d{1,9}(?:[.,]\d{1,9})?|-?\d[\d.e+-]{0,30})\s?(h|hrs?|hours?|m|min|minutes?|d|days?)?\.?$/iu.exec(
      text,
    );
  const amount = Number(found?.[1]?.replace(",", "."));
  if (found === null || !Number.isFinite(amount)) {
    reportLoss(reading, at, `${label} takes a number of hours, such as 1.5`);
    return undefined;
  }
  const unit = found[2]?.toLowerCase() ?? "h";
  if (unit.startsWith("m")) return amount / 60 || undefined;
  return (unit.startsWith("d") ? amount * 8 : amount) || undefined;
}

/** Without the backticks around it, where there are some. */
function unquote(value: string): string {
  const isQuoted = value.length > 2 && value.startsWith("`") && value.endsWith("`");
  return unescapeInline(isQuoted ? value.slice(1, -1) : value);
}

function splitList(value: string): readonly string[] {
  return value
    .split(",")
    .map(trimSpaces)
    .filter((each) => each !== "")
    .map(unescapeInline);
}

/** Ids, and whatever else people write to say the same: `#task-1`, backticks, `and`. */
function splitIds(value: string): readonly string[] {
  return value
    .split(/,| and /)
    .map((each) =>
      trimSpaces(each)
        .replace(/^[`#]+/, "")
        .replace(/[`.]+$/, ""),
    )
    .filter((each) => each !== "" && !noId.test(each))
    .map(unescapeInline);
}
