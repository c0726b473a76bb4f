import type { UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "./schema.ts";

/**
 * An object or a list within the arguments of a call. After a member was changed, the frame also contains the
 * copy with the change.
 */
export interface ArgumentFrame {
  readonly value: object;
  /** The schemas that may apply to the value. A union has more than one such schema. */
  readonly schemas: readonly JsonSchema[];
  readonly above: ArgumentFrame | undefined;
  readonly key: string | number;
  copy?: Record<PropertyKey, unknown>;
}

/**
 * Returns the copy of a frame's value. All outer values are copied too, so that the caller's arguments are not
 * changed.
 */
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

/** Sets a member; its name may be any text, including `__proto__`. */
export function setMember(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the arguments with all changes, given the outermost frame. */
export function toArguments({ copy, value }: ArgumentFrame): UnknownRecord {
  return copy ?? (value as UnknownRecord);
}

/** Returns the path of a frame's value. */
export function keysTo(frame: ArgumentFrame): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let each = frame; each.above !== undefined; each = each.above) keys.push(each.key);
  return keys.reverse();
}

/** Returns the schemas of a part of the arguments; returns none if one of the schemas allows any value. */
export function allOrNone(schemas: readonly unknown[]): readonly JsonSchema[] {
  const isAny = schemas.some((schema) => typeof schema !== "object" || schema === null);
  return isAny ? [] : (schemas as readonly JsonSchema[]);
}
