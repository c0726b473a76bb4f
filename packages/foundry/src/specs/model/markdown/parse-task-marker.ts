import { type NodeStatus, type NodeType, nodeTypes } from "../spec-document.ts";
import { trimSpaces, unescapeInline } from "./escape-text.ts";

/** What stands around the title of a task. */
export interface TaskMarker {
  readonly title: string;
  /** Undefined where there is neither a box nor a word. */
  readonly status: NodeStatus | undefined;
  readonly id: string | undefined;
  readonly type: NodeType | undefined;
  /** A box of which nobody knows what it means. */
  readonly unknownCheckbox?: string | undefined;
  /** A class that is no type. */
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

/** Reads the box or the word before a title, and the id behind it. */
export function parseTaskMarker(text: string, { withWords = true } = {}): TaskMarker {
  const { status, rest, unknownCheckbox } = parseCheckbox(text);
  const spelt = status === undefined && withWords ? keyword.exec(text) : null;
  const { title, id, type, unknownType } = parseAttributes(
    spelt === null ? rest : trimSpaces(text.slice(spelt[0].length)),
  );
  return {
    title: unescapeInline(title),
    status: status ?? keywordStatuses[spelt?.[1] ?? ""],
    id,
    type,
    unknownType,
    unknownCheckbox,
  };
}

/** Reads the box that a text begins with. */
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

/** True for a text with a box, a word or an id: a task, wherever it stands. */
export function hasTaskMarker(text: string): boolean {
  return checkbox.test(text) || keyword.test(text) || parseAttributes(text).id !== undefined;
}

type Attributes = Pick<TaskMarker, "title" | "id" | "type" | "unknownType">;

/** `{#task-1-2}` or `{#verify-1-1 .verify}` at the end; a class alone is fine too. */
function parseAttributes(text: string): Attributes {
  const none: Attributes = { title: text, id: undefined, type: undefined, unknownType: undefined };
  const start = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  if (start === -1 || (start > 0 && text[start - 1] !== " " && text[start - 1] !== "\t")) return none;
  const parts = text.slice(start + 1, -1).split(" ");
  const named = parts.filter((part) => part.startsWith("#"));
  const classes = parts.filter((part) => part.startsWith("."));
  if (named.length > 1 || classes.length > 1 || named.length + classes.length !== parts.length) return none;
  const type = classes[0]?.slice(1);
  const isType = (nodeTypes as readonly (string | undefined)[]).includes(type);
  return {
    title: trimSpaces(text.slice(0, start)),
    id: named[0] === undefined ? undefined : unescapeInline(named[0].slice(1)),
    type: isType ? (type as NodeType) : undefined,
    unknownType: isType ? undefined : type,
  };
}
