import type { UnknownRecord } from "@foundry-mcp/contract";
import { type ArgumentFrame, allOrNone, copyOf, keysTo, toArguments } from "./argument-frame.ts";
import { toFieldName } from "./field-errors.ts";
import type { FormFinder, ListForm, ObjectForm } from "./object-forms.ts";
import type { JsonSchema } from "./schema.ts";

/** A member of an object within the arguments that no schema has. */
export interface UnknownMember {
  /** The path as a caller writes it: `phases[0].tasks[1].dependsOn`. */
  readonly path: string;
  readonly name: string;
  /** The names that the object takes. */
  readonly names: readonly string[];
}

/** The arguments without null for what is optional, and the members that are unknown. */
export interface CheckedMembers {
  readonly args: UnknownRecord;
  readonly unknown: readonly UnknownMember[];
}

/**
 * Holds objects and lists within arguments to the rule of the arguments themselves: null for what is optional means
 * absent, and a name that the schema does not have is unknown. In a union, a name is unknown if no branch that may apply
 * has it. Walks each value once, without recursion.
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
  // An array iterates over what is added to it meanwhile.
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

/** The branches that may apply: those whose constants the object has; all, if it fits none. */
export function applicableForms(forms: readonly ObjectForm[], object: UnknownRecord): readonly ObjectForm[] {
  if (forms.length < 2) return forms;
  const fitting = forms.filter(({ constants }) =>
    constants.every(([name, values]) => !Object.hasOwn(object, name) || values.has(object[name])),
  );
  return fitting.length === 0 ? forms : fitting;
}

/** The schemas of an item of a list. */
export function itemSchemas(lists: readonly ListForm[], index: number): readonly JsonSchema[] {
  return allOrNone(lists.map(({ first, rest }) => (index < first.length ? first[index] : rest)));
}

/** The schemas of a member of an object, in the forms that take it. */
export function memberSchemas(takers: readonly ObjectForm[], name: string): readonly JsonSchema[] {
  return allOrNone(
    takers.map(({ members, others }) => (members.has(name) ? members.get(name)?.schema : others)),
  );
}

function dropsNull({ members }: ObjectForm, name: string): boolean {
  return members.get(name)?.keepsNull === false;
}
