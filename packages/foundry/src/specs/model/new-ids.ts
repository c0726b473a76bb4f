import type { NodeType } from "./spec-document.ts";
import type { SpecModel } from "./spec-model.ts";

/** The types that new nodes may have. */
export type NewNodeType = Extract<NodeType, "phase" | "task" | "subtask" | "verify" | "research">;

/** An id for a new node, and the mark that keeps it from being given again. */
export interface NewId {
  readonly id: string;
  readonly prefix: string;
  readonly number: number;
}

/** Gives ids to new nodes of a spec, each once. */
export interface IdSource {
  next(parent: string, type: NewNodeType): string;
  /** The numbers given so far, as the marks of a change. */
  readonly marks: Readonly<Record<string, number>>;
}

/** The id of one new node: one more than the highest number its prefix ever had. */
export function newNodeId(
  spec: SpecModel,
  parent: string,
  type: NewNodeType,
  marks: Readonly<Record<string, number>>,
): NewId {
  const source = createIdSource(spec, marks);
  const id = source.next(parent, type);
  const [prefix, number] = Object.entries(source.marks)[0] as [string, number];
  return { id, prefix, number };
}

/** Opens a source of ids; it looks through the spec once, however many it gives. */
export function createIdSource(spec: SpecModel, marks: Readonly<Record<string, number>>): IdSource {
  const highest = new Map(Object.entries(highestNumbers(spec.ids)));
  const given = new Map<string, number>();
  return {
    next(parent, type) {
      const prefix = prefixOf(spec, parent, type);
      const mark = Object.hasOwn(marks, prefix) ? (marks[prefix] as number) : 0;
      const number = Math.max(highest.get(prefix) ?? 0, mark, given.get(prefix) ?? 0) + 1;
      given.set(prefix, number);
      return `${prefix}-${number}`;
    },
    get marks() {
      return Object.fromEntries(given);
    },
  };
}

/** The highest number of each prefix among ids: `task-1-9` is the 9 of `task-1`. */
export function highestNumbers(ids: Iterable<string>): Readonly<Record<string, number>> {
  const highest = new Map<string, number>();
  for (const id of ids) {
    const dash = id.lastIndexOf("-");
    const digits = id.slice(dash + 1);
    // Longer numbers are not counted exactly, and nobody has that many tasks.
    if (dash < 1 || digits.length > 15 || !/^\d+$/.test(digits)) continue;
    const prefix = id.slice(0, dash);
    highest.set(prefix, Math.max(highest.get(prefix) ?? 0, Number(digits)));
  }
  return Object.fromEntries(highest);
}

function prefixOf(spec: SpecModel, parent: string, type: NewNodeType): string {
  if (type === "phase") return "phase";
  const kind = type === "subtask" ? "task" : type;
  const above = spec.ancestry(parent).map(({ id }) => id);
  const numbers = [parent, ...above].map(numbersOf).find((each) => each !== "");
  return `${kind}-${numbers ?? parent}`;
}

/** `1-2` of `task-1-2`, `1` of `phase-1-files`; empty where an id has none. */
function numbersOf(id: string): string {
  return id
    .split("-")
    .filter((part) => /^\d+$/.test(part))
    .join("-");
}
