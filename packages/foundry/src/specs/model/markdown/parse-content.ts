import { maxTitleLength } from "../text-limits.ts";
import type { DraftNode, Fields, FieldValue } from "./draft.ts";
import { type Field, findField, taskFields } from "./fields.ts";
import type { Block, ListItem, TextBlock } from "./parse-blocks.ts";
import {
  blockText,
  isTaskItem,
  joinRanges,
  type ParseContext,
  parseLabel,
  reportComment,
  reportLoss,
  type TextRange,
} from "./parse-context.ts";
import { parseField } from "./parse-field.ts";
import { parseTaskMarker } from "./parse-task-marker.ts";

/** The fields and tasks of a section or of a list item. */
export interface Content {
  readonly fields: Fields;
  readonly nodes: readonly DraftNode[];
}

/** Parses blocks into fields and tasks. All other text becomes the description. */
export function parseContent(
  context: ParseContext,
  blocks: readonly Block[],
  fields: readonly Field[],
  { isSection = false, more = [] as readonly TextRange[] } = {},
): Content {
  const values: Record<string, FieldValue> = {};
  const texts: TextRange[] = [];
  const nodes: DraftNode[] = [];
  const tasks = isSection ? tasksOf(blocks) : undefined;
  const take = (field: Field, value: FieldValue | undefined, at: number) => {
    if (value === undefined) return;
    if (Object.hasOwn(values, field.key)) reportLoss(context, at, `${field.label} is given above already`);
    else values[field.key] = value;
  };
  for (const block of blocks) {
    if (block.kind === "heading") continue;
    if (block.kind === "comment") reportComment(context, block);
    else if (block.kind === "paragraph") texts.push(...parseParagraph(context, block, fields, take));
    else if (block.kind !== "item") texts.push({ ...block, text: blockText(context, block) });
    else {
      const label = parseLabel(block.text);
      const field = label && findField(fields, label.label);
      if (label !== undefined && field !== undefined)
        take(field, parseField(context, field, label.value, block), block.from);
      else if (context.isPlain || isTaskItem(block) || tasks?.has(block) === true)
        nodes.push(...parseTask(context, block));
      else texts.push({ ...block, text: blockText(context, block) });
    }
  }
  const description = joinRanges([...texts, ...more]);
  return { fields: description === "" ? values : { description, ...values }, nodes };
}

/** Finds the list items that are tasks. If one item of a list is a task, all items of the list are tasks. */
function tasksOf(blocks: readonly Block[]): ReadonlySet<Block> {
  const tasks = new Set<Block>();
  let run: Block[] = [];
  const end = () => {
    if (run.some(isTaskItem)) for (const each of run) tasks.add(each);
    run = [];
  };
  for (const block of blocks) {
    if (block.kind !== "item" || run.at(-1)?.to !== block.from) end();
    if (block.kind === "item") run.push(block);
  }
  end();
  return tasks;
}

/** Parses a paragraph. A line such as `**Owner:** Ada` is a field, even outside a list. */
function parseParagraph(
  context: ParseContext,
  block: TextBlock,
  fields: readonly Field[],
  take: (field: Field, value: FieldValue | undefined, at: number) => void,
): readonly TextRange[] {
  const parts: TextRange[] = [];
  let from = block.from;
  const end = (to: number) => {
    if (to > from) parts.push({ from, to, text: blockText(context, { ...block, from, to }) });
  };
  for (let at = block.from; at < block.to; at++) {
    const label = parseLabel((context.lines[at] ?? "").trimStart());
    const field = label?.isBold ? findField(fields, label.label) : undefined;
    if (label === undefined || field === undefined) continue;
    end(at);
    from = at + 1;
    take(field, parseField(context, field, label.value, { from: at, blocks: [] }), at);
  }
  end(block.to);
  return parts;
}

/** Parses a list item as a task. An empty list item is not a task. */
function parseTask(context: ParseContext, item: ListItem): readonly DraftNode[] {
  const { title: own, id, type, status, unknownCheckbox, unknownType } = parseTaskMarker(item.text);
  const { title: whole, blocks } =
    id === undefined ? joinWrappedTitle(context, item, own) : { title: own, blocks: item.blocks };
  if (unknownCheckbox !== undefined)
    reportLoss(
      context,
      item.from,
      `${unknownCheckbox} is not a known checkbox: the task is imported as open`,
    );
  if (unknownType !== undefined) reportLoss(context, item.from, `.${unknownType} is not a known task type`);
  if (item.isTooDeep)
    reportLoss(context, item.from, "It is nested too deeply, so it became a sibling of the task above it");
  if (whole === "" && id === undefined && blocks.length === 0) {
    reportLoss(context, item.from, "A task must have a title, so the line is ignored");
    return [];
  }
  const isLong = id === undefined && [...whole].length > maxTitleLength;
  const title = isLong ? `${[...whole].slice(0, maxTitleLength - 1).join("")}…` : whole;
  const content = parseContent(context, blocks, taskFields);
  const { description } = content.fields;
  const fields = isLong
    ? {
        ...content.fields,
        description: description === undefined ? whole : `${whole}\n\n${String(description)}`,
      }
    : content.fields;
  const { blocker_description: why, ...others } = fields;
  if (why !== undefined && status !== "blocked")
    reportLoss(context, item.from, "The task is not blocked, so the reason is ignored");
  return [
    {
      line: item.from + 1,
      id,
      type,
      title: title === "" && id === undefined ? "Untitled" : title,
      status,
      fields: why !== undefined && status !== "blocked" ? others : fields,
      children: content.nodes,
    },
  ];
}

/** Joins the lines of a title that was wrapped in the middle of a sentence. */
function joinWrappedTitle(
  context: ParseContext,
  item: ListItem,
  title: string,
): { readonly title: string; readonly blocks: readonly Block[] } {
  const [first, ...rest] = item.blocks;
  const isWrapped =
    first?.kind === "paragraph" && first.isTight && item.text.length >= 50 && !/[.!?:;]$/.test(item.text);
  const more = isWrapped ? blockText(context, first) : "";
  return isWrapped && /^[\p{Ll}\d(]/u.test(more)
    ? { title: `${title} ${more.replaceAll("\n", " ")}`, blocks: rest }
    : { title, blocks: item.blocks };
}
