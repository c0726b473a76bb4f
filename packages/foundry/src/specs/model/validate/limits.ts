import { maxNodes } from "../text-limits.ts";
import type { SpecCheck } from "./check-context.ts";

/** Sizes that are much larger than in any spec that a person or an agent writes. */
export const unusual = { depth: 64, items: 10_000, journalEntries: 10_000 } as const;

/** Checks for sizes that slow down every operation. */
export const checkLimits: SpecCheck = ({ document, hierarchy }, add) => {
  const count = Object.keys(hierarchy).length;
  if (count > maxNodes)
    add({
      code: "INPUT_TOO_LARGE",
      path: ["hierarchy"],
      message: `The spec has ${count} nodes; ${maxNodes} are allowed`,
      remedy: "Split it into several specs.",
    });
  const { journal } = document;
  if (Array.isArray(journal) && journal.length > unusual.journalEntries)
    add({
      code: "EXCESSIVE_JOURNAL_LENGTH",
      path: ["journal"],
      message: `The journal has ${journal.length} entries; more than ${unusual.journalEntries} are unusual`,
      remedy: "Move old entries elsewhere.",
    });
  const isSeen = new Set<unknown>([document]);
  const stack: Position[] = [{ value: document, key: "", parent: undefined, depth: 0 }];
  let isTooDeep = false;
  for (let position = stack.pop(); position !== undefined; position = stack.pop()) {
    const { value, depth } = position;
    if (Array.isArray(value) && value.length > unusual.items && value !== journal)
      add({
        code: "EXCESSIVE_ARRAY_LENGTH",
        path: toPath(position),
        message: `The list has ${value.length} items; more than ${unusual.items} are unusual`,
        remedy: "Split it up.",
      });
    if (depth > unusual.depth) {
      // After the first report, deeper values are not visited.
      if (!isTooDeep)
        add({
          code: "EXCESSIVE_NESTING",
          path: toPath(position).slice(0, 8),
          message: `Values are nested more than ${unusual.depth} levels deep`,
          remedy: "Flatten them.",
        });
      isTooDeep = true;
      continue;
    }
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, inner] of entries) {
      if (typeof inner !== "object" || inner === null || isSeen.has(inner)) continue;
      if (Array.isArray(inner) && inner.length === 0) continue;
      isSeen.add(inner);
      stack.push({ value: inner, key, parent: position, depth: depth + 1 });
    }
  }
};

interface Position {
  readonly value: object;
  readonly key: string | number;
  readonly parent: Position | undefined;
  readonly depth: number;
}

function toPath(position: Position): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Position | undefined = position; at?.parent !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
