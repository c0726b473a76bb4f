import type { UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "./schema.ts";

/** An object or a list within the arguments of a call; its copy, once a member of it is changed. */
export interface ArgumentFrame {
  readonly value: object;
  /** The schemas that the value may be held to; more than one in a union. */
  readonly schemas: readonly JsonSchema[];
  readonly above: ArgumentFrame | undefined;
  readonly key: string | number;
  copy?: Record<PropertyKey, unknown>;
}

/** Returns the copy of a frame's value, after copies of all that it lies in: values of the caller are not changed. */
export function copyOf(frame: ArgumentFrame): Record<PropertyKey, unknown> {
  for (
    let each: ArgumentFrame | undefined = frame;
    each !== undefined && each.copy === undefined;
    each = each.above
  )
    each.copy = (Array.isArray(each.value) ? [...each.value] : { ...each.value }) as Record<
      PropertyKey,
      unknown
    >;
  for (
    let each = frame;
    each.above?.copy !== undefined && each.above.copy[each.key] !== each.copy;
    each = each.above
  )
    setMember(each.above.copy, each.key, each.copy);
  return frame.copy as Record<PropertyKey, unknown>;
}

/** Sets a member, also one called `__proto__`. */
export function setMember(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the arguments of the outermost frame, with all changes. */
export function toArguments({ copy, value }: ArgumentFrame): UnknownRecord {
  return copy ?? (value as UnknownRecord);
}

/** Returns the path of a frame's value. */
export function keysTo(frame: ArgumentFrame): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let each = frame; each.above !== undefined; each = each.above) keys.push(each.key);
  return keys.reverse();
}

/** The schemas of a part, or none where one of them allows any value. */
export function allOrNone(schemas: readonly unknown[]): readonly JsonSchema[] {
  const isAny = schemas.some((schema) => typeof schema !== "object" || schema === null);
  return isAny ? [] : (schemas as readonly JsonSchema[]);
}
