import { longestTitle } from "../text-limits.ts";
import type { DraftNode, FieldValue } from "./draft.ts";
import { type Field, findField, taskFields } from "./fields.ts";
import type { Block, Item, Text } from "./read-blocks.ts";
import { readField } from "./read-field.ts";
import { readMark } from "./read-mark.ts";
import { isTaskItem, joinTexts, lose, type Reading, readLabel, skipComment, textOf } from "./reading.ts";

/** What stands below a heading or in an item. */
export interface Content {
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly nodes: readonly DraftNode[];
}

/** A text and where it stands. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Reads blocks as what is said of something, and the tasks below it. What is neither is its description. */
export function readContent(
  reading: Reading,
  blocks: readonly Block[],
  fields: readonly Field[],
  { isSection = false, more = [] as readonly TextPart[] } = {},
): Content {
  const values: Record<string, FieldValue> = {};
  const texts: TextPart[] = [];
  const nodes: DraftNode[] = [];
  const tasks = isSection ? tasksOf(blocks) : undefined;
  const take = (field: Field, value: FieldValue | undefined, at: number) => {
    if (value === undefined) return;
    if (Object.hasOwn(values, field.key)) lose(reading, at, `${field.label} is said above already`);
    else values[field.key] = value;
  };
  for (const block of blocks) {
    if (block.kind === "heading") continue;
    if (block.kind === "comment") skipComment(reading, block);
    else if (block.kind === "paragraph") texts.push(...readParagraph(reading, block, fields, take));
    else if (block.kind !== "item") texts.push({ ...block, text: textOf(reading, block) });
    else {
      const label = readLabel(block.text);
      const field = label && findField(fields, label.label);
      if (label !== undefined && field !== undefined)
        take(field, readField(reading, field, label.value, block), block.from);
      else if (reading.isPlain || isTaskItem(block) || tasks?.has(block) === true)
        nodes.push(...readTask(reading, block));
      else texts.push({ ...block, text: textOf(reading, block) });
    }
  }
  const description = joinTexts([...texts, ...more]);
  return { fields: description === "" ? values : { description, ...values }, nodes };
}

/** Items without a box, in one go with some that have one, are tasks as well. */
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

/** Lines such as `**Owner:** Ada` are fields, also where they are no list. */
function readParagraph(
  reading: Reading,
  block: Text,
  fields: readonly Field[],
  take: (field: Field, value: FieldValue | undefined, at: number) => void,
): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = block.from;
  const end = (to: number) => {
    if (to > from) parts.push({ from, to, text: textOf(reading, { ...block, from, to }) });
  };
  for (let at = block.from; at < block.to; at++) {
    const label = readLabel((reading.lines[at] ?? "").trimStart());
    const field = label?.isBold ? findField(fields, label.label) : undefined;
    if (label === undefined || field === undefined) continue;
    end(at);
    from = at + 1;
    take(field, readField(reading, field, label.value, { from: at, blocks: [] }), at);
  }
  end(block.to);
  return parts;
}

/** Reads an item as a task; one that says nothing at all is none. */
function readTask(reading: Reading, item: Item): readonly DraftNode[] {
  const { title: own, id, type, status, unknownBox, unknownType } = readMark(item.text);
  const { title: whole, blocks } =
    id === undefined ? unwrap(reading, item, own) : { title: own, blocks: item.blocks };
  if (unknownBox !== undefined)
    lose(reading, item.from, `${unknownBox} is no box that has a meaning here: the task is open`);
  if (unknownType !== undefined) lose(reading, item.from, `.${unknownType} is no type of work`);
  if (item.isTooDeep) lose(reading, item.from, "It is nested too deep, and was put beside the task above it");
  if (whole === "" && id === undefined && blocks.length === 0) {
    lose(reading, item.from, "A task without a title is none");
    return [];
  }
  const isLong = id === undefined && [...whole].length > longestTitle;
  const title = isLong ? `${[...whole].slice(0, longestTitle - 1).join("")}…` : whole;
  const content = readContent(reading, blocks, taskFields);
  const { description } = content.fields;
  const fields = isLong
    ? {
        ...content.fields,
        description: description === undefined ? whole : `${whole}\n\n${String(description)}`,
      }
    : content.fields;
  const { blocker_description: why, ...others } = fields;
  if (why !== undefined && status !== "blocked")
    lose(reading, item.from, "The task is not blocked: the reason is left out");
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

/** A title that was broken in the middle of a sentence is one. */
function unwrap(
  reading: Reading,
  item: Item,
  title: string,
): { readonly title: string; readonly blocks: readonly Block[] } {
  const [first, ...rest] = item.blocks;
  const isWrapped =
    first?.kind === "paragraph" && first.isTight && item.text.length >= 50 && !/[.!?:;]$/.test(item.text);
  const more = isWrapped ? textOf(reading, first) : "";
  return isWrapped && /^[\p{Ll}\d(]/u.test(more)
    ? { title: `${title} ${more.replaceAll("\n", " ")}`, blocks: rest }
    : { title, blocks: item.blocks };
}
