import type { NodeType } from "./spec-document.ts";
import type { SpecModel } from "./spec-model.ts";

/** The types that a new node may have. */
export type NewNodeType = Extract<NodeType, "phase" | "task" | "subtask" | "verify" | "research">;

/** Generates ids for new nodes of a spec. */
export interface IdSource {
  /**
   * Returns the id of a new node. The id is a prefix with the number after the highest number ever used for
   * this prefix.
   */
  next(parent: string, type: NewNodeType): string;
  /** The highest numbers used so far, by prefix. */
  readonly marks: Readonly<Record<string, number>>;
}

/** Creates an id source. The spec is scanned only once. */
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

/**
 * Returns the highest number of each prefix. For example, `task-1-9` has the prefix `task-1` and the number
 * 9.
 */
export function highestNumbers(ids: Iterable<string>): Readonly<Record<string, number>> {
  const highest = new Map<string, number>();
  for (const id of ids) {
    const dash = id.lastIndexOf("-");
    const digits = id.slice(dash + 1);
    // Longer numbers are ignored, because JavaScript cannot represent them exactly, and no spec has that many tasks.
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

/**
 * Returns the numbers of an id: `1-2` for `task-1-2`, `1` for `phase-1-files`, or an empty string if the id
 * has no numbers.
 */
function numbersOf(id: string): string {
  return id
    .split("-")
    .filter((part) => /^\d+$/.test(part))
    .join("-");
}
