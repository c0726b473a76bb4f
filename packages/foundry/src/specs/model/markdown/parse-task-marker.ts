import { type NodeStatus, type NodeType, nodeTypes } from "../spec-document.ts";
import { unescapeInline } from "./escape-text.ts";
import { trimSpaces } from "./lines.ts";

/** The parts of a line that mark it as a task: checkbox or status keyword, title, id and type. */
export interface TaskMarker {
  readonly title: string;
  /** The status; undefined if the line has no checkbox and no status keyword. */
  readonly status: NodeStatus | undefined;
  readonly id: string | undefined;
  readonly type: NodeType | undefined;
  /** A checkbox that contains an unknown character. */
  readonly unknownCheckbox?: string | undefined;
  /** A class in the attributes that is not a node type. */
  readonly unknownType?: string | undefined;
}

const checkboxStatuses: Readonly<Record<string, NodeStatus>> = {
  "": "pending",
  " ": "pending",
  x: "completed",
  X: "completed",
  "✓": "completed",
  "✔": "completed",
  "~": "in_progress",
  "/": "in_progress",
  "!": "blocked",
};
const checkbox = /^\[([^\p{L}\p{N}\]]?|[xX])\](?=[ \t]|$)/u;
const keywordStatuses: Readonly<Record<string, NodeStatus>> = {
  TODO: "pending",
  "TO DO": "pending",
  DONE: "completed",
  DOING: "in_progress",
  WIP: "in_progress",
  "IN PROGRESS": "in_progress",
  BLOCKED: "blocked",
  WAITING: "blocked",
  "☐": "pending",
  "☑": "completed",
  "✅": "completed",
  "✔️": "completed",
  "✔": "completed",
};
const keyword = /^(TODO|TO DO|DONE|DOING|WIP|IN PROGRESS|BLOCKED|WAITING|☐|☑|✅|✔️|✔)(?::|(?=[ \t]|$))/u;

/** Parses the checkbox or status keyword before a title, and the attributes after the title. */
export function parseTaskMarker(text: string, { withKeywords = true } = {}): TaskMarker {
  const { status, rest, unknownCheckbox } = parseCheckbox(text);
  const keywordMatch = status === undefined && withKeywords ? keyword.exec(text) : null;
  const { title, id, type, unknownType } = parseAttributes(
    keywordMatch === null ? rest : trimSpaces(text.slice(keywordMatch[0].length)),
  );
  return {
    title: unescapeInline(title),
    status: status ?? keywordStatuses[keywordMatch?.[1] ?? ""],
    id,
    type,
    unknownType,
    unknownCheckbox,
  };
}

/** Parses the checkbox at the start of a text. */
export function parseCheckbox(
  text: string,
): Pick<TaskMarker, "status" | "unknownCheckbox"> & { readonly rest: string } {
  const found = checkbox.exec(text);
  if (found === null) return { status: undefined, unknownCheckbox: undefined, rest: text };
  const rest = trimSpaces(text.slice(found[0].length));
  const status = checkboxStatuses[found[1] ?? ""];
  return status === undefined
    ? { status: "pending", unknownCheckbox: found[0], rest }
    : { status, unknownCheckbox: undefined, rest };
}

/** True for a text with a checkbox, a status keyword or an id. A list item with such a text is a task. */
export function hasTaskMarker(text: string): boolean {
  return checkbox.test(text) || keyword.test(text) || parseAttributes(text).id !== undefined;
}

type Attributes = Pick<TaskMarker, "title" | "id" | "type" | "unknownType">;

/**
 * Parses the attributes at the end of a text, such as `{#task-1-2}`, `{#verify-1-1 .verify}` or `{.verify}`.
 */
function parseAttributes(text: string): Attributes {
  const none: Attributes = { title: text, id: undefined, type: undefined, unknownType: undefined };
  const start = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  if (start === -1 || (start > 0 && text[start - 1] !== " " && text[start - 1] !== "\t")) return none;
  const parts = text.slice(start + 1, -1).split(" ");
  const ids = parts.filter((part) => part.startsWith("#"));
  const classes = parts.filter((part) => part.startsWith("."));
  if (ids.length > 1 || classes.length > 1 || ids.length + classes.length !== parts.length) return none;
  const type = classes[0]?.slice(1);
  const isType = (nodeTypes as readonly (string | undefined)[]).includes(type);
  return {
    title: trimSpaces(text.slice(0, start)),
    id: ids[0] === undefined ? undefined : unescapeInline(ids[0].slice(1)),
    type: isType ? (type as NodeType) : undefined,
    unknownType: isType ? undefined : type,
  };
}
