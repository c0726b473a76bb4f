import type { UnknownRecord } from "@foundry-mcp/contract";
import { toFieldName } from "./field-errors.ts";
import type { FormFinder, ObjectForm } from "./object-forms.ts";
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

/** An object or a list within the arguments; its copy, once a member of it is left out. */
interface Frame {
  readonly value: object;
  readonly schemas: readonly JsonSchema[];
  readonly above: Frame | undefined;
  readonly key: string | number;
  copy?: Record<PropertyKey, unknown>;
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
  const root: Frame = { value: args, schemas: [], above: undefined, key: "" };
  const frames: Frame[] = [];
  const unknown: UnknownMember[] = [];
  const descend = (value: unknown, key: string | number, above: Frame, below: readonly JsonSchema[]) => {
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
        const below = lists.map(({ first, rest }) => (index < first.length ? first[index] : rest));
        descend(item, index, frame, allOrNone(below));
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
        const below = takers.map(({ members, others }) =>
          members.has(name) ? members.get(name)?.schema : others,
        );
        descend(value, name, frame, allOrNone(below));
      }
    }
  }
  return { args: toArguments(root), unknown };
}

/** The branches that may apply: those whose constants the object has; all, if it fits none. */
function applicableForms(forms: readonly ObjectForm[], object: UnknownRecord): readonly ObjectForm[] {
  if (forms.length < 2) return forms;
  const fitting = forms.filter(({ constants }) =>
    constants.every(([name, values]) => !Object.hasOwn(object, name) || values.has(object[name])),
  );
  return fitting.length === 0 ? forms : fitting;
}

function dropsNull({ members }: ObjectForm, name: string): boolean {
  return members.get(name)?.keepsNull === false;
}

/** The schemas of a part, or none where one of the forms allows any value. */
function allOrNone(schemas: readonly unknown[]): readonly JsonSchema[] {
  const isAny = schemas.some((schema) => typeof schema !== "object" || schema === null);
  return isAny ? [] : (schemas as readonly JsonSchema[]);
}

/** Returns the copy of a frame's value, after copies of all that it lies in: values of the caller are not changed. */
function copyOf(frame: Frame): Record<PropertyKey, unknown> {
  for (let each: Frame | undefined = frame; each !== undefined && each.copy === undefined; each = each.above)
    each.copy = (Array.isArray(each.value) ? [...each.value] : { ...each.value }) as Record<
      PropertyKey,
      unknown
    >;
  for (
    let each = frame;
    each.above?.copy !== undefined && each.above.copy[each.key] !== each.copy;
    each = each.above
  )
    each.above.copy[each.key] = each.copy;
  return frame.copy as Record<PropertyKey, unknown>;
}

function toArguments({ copy, value }: Frame): UnknownRecord {
  return copy ?? (value as UnknownRecord);
}

function keysTo(frame: Frame): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let each = frame; each.above !== undefined; each = each.above) keys.push(each.key);
  return keys.reverse();
}
