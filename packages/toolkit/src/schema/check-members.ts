import type { UnknownRecord } from "@foundry-mcp/contract";
import { type ArgumentFrame, allOrNone, copyOf, keysTo, toArguments } from "./argument-frame.ts";
import { toFieldName } from "./field-errors.ts";
import type { FormFinder, ListForm, ObjectForm } from "./object-forms.ts";
import type { JsonSchema } from "./schema.ts";

/** A member of an object within the arguments that is not in any schema. */
export interface UnknownMember {
  /** The path in the form used by callers: `phases[0].tasks[1].dependsOn`. */
  readonly path: string;
  readonly name: string;
  /** The names that the object admits. */
  readonly names: readonly string[];
}

/** The arguments without null values of optional members, and the list of unknown members. */
export interface CheckedMembers {
  readonly args: UnknownRecord;
  readonly unknown: readonly UnknownMember[];
}

/**
 * Applies the rules for top-level arguments also to nested objects and lists: null for an optional member
 * means absent, and a name that is not in the schema is unknown. In a union, a name is unknown if none of the
 * branches that may apply contains it. Walks each value once, without recursion.
 */
export function checkMembers(
  args: UnknownRecord,
  schemas: ReadonlyMap<string, JsonSchema>,
  finder: FormFinder,
  maxUnknown: number,
): CheckedMembers {
  const root: ArgumentFrame = { value: args, schemas: [], above: undefined, key: "" };
  const frames: ArgumentFrame[] = [];
  const unknown: UnknownMember[] = [];
  const descend = (
    value: unknown,
    key: string | number,
    above: ArgumentFrame,
    below: readonly JsonSchema[],
  ) => {
    if (typeof value !== "object" || value === null || below.length === 0) return;
    frames.push({ value, schemas: below, above, key });
  };
  for (const [name, schema] of schemas)
    if (Object.hasOwn(args, name)) descend(args[name], name, root, [schema]);
  // The loop also visits frames that are added to the array during the loop.
  for (const frame of frames) {
    const forms = [...new Set(frame.schemas)].map(finder.formsOf);
    if (Array.isArray(frame.value)) {
      const lists = forms.flatMap((each) => each.lists);
      for (const [index, item] of frame.value.entries()) {
        descend(item, index, frame, itemSchemas(lists, index));
      }
      continue;
    }
    const object = frame.value as UnknownRecord;
    const applicable = applicableForms(
      forms.flatMap(({ objects }) => objects),
      object,
    );
    for (const name of applicable.length === 0 ? [] : Object.keys(object)) {
      const value = object[name];
      const takers = applicable.filter((form) => form.isOpen || form.members.has(name));
      if (takers.length === 0 && value !== null && value !== undefined) {
        if (unknown.length === maxUnknown) return { args: toArguments(root), unknown };
        const names = [...new Set(applicable.flatMap(({ members }) => [...members.keys()]))];
        unknown.push({ path: toFieldName([...keysTo(frame), name]), name, names });
      } else if (takers.length === 0 || (value === null && takers.every((form) => dropsNull(form, name)))) {
        delete copyOf(frame)[name];
      } else {
        descend(value, name, frame, memberSchemas(takers, name));
      }
    }
  }
  return { args: toArguments(root), unknown };
}

/**
 * Returns the branches that may apply to an object: the branches whose constants match the object, or all branches
 * if none match.
 */
export function applicableForms(forms: readonly ObjectForm[], object: UnknownRecord): readonly ObjectForm[] {
  if (forms.length < 2) return forms;
  const fitting = forms.filter(({ constants }) =>
    constants.every(([name, values]) => !Object.hasOwn(object, name) || values.has(object[name])),
  );
  return fitting.length === 0 ? forms : fitting;
}

/** Returns the schemas of an item of a list. */
export function itemSchemas(lists: readonly ListForm[], index: number): readonly JsonSchema[] {
  return allOrNone(lists.map(({ first, rest }) => (index < first.length ? first[index] : rest)));
}

/** Returns the schemas of an object's member, from the forms that admit this member. */
export function memberSchemas(takers: readonly ObjectForm[], name: string): readonly JsonSchema[] {
  return allOrNone(
    takers.map(({ members, others }) => (members.has(name) ? members.get(name)?.schema : others)),
  );
}

function dropsNull({ members }: ObjectForm, name: string): boolean {
  return members.get(name)?.keepsNull === false;
}
