import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { isEqualJson } from "./is-same.ts";
import { shorten } from "./shorten.ts";

/** A field that is not what it was; a side on which it is missing is left out. */
export interface FieldChange {
  /** Such as `status` or `metadata.note`. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What differs between two objects, in the order of the second; objects in them are compared field by field. */
export function* diffFields(
  before: UnknownRecord,
  after: UnknownRecord,
  isMeant: (field: string) => boolean = () => true,
): Generator<FieldChange> {
  for (const key of keysOf(before, after)) {
    if (!isMeant(key)) continue;
    const [old, fresh] = [own(before, key), own(after, key)];
    if (isRecord(old) && isRecord(fresh)) {
      for (const inner of keysOf(old, fresh))
        yield* toChange(`${key}.${inner}`, own(old, inner), own(fresh, inner));
    } else yield* toChange(key, old, fresh);
  }
}

function* toChange(field: string, before: unknown, after: unknown): Generator<FieldChange> {
  if (isEqualJson(before, after)) return;
  yield {
    field,
    ...(before === undefined ? {} : { before: shorten(before) }),
    ...(after === undefined ? {} : { after: shorten(after) }),
  };
}

function keysOf(before: UnknownRecord, after: UnknownRecord): readonly string[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [...Object.keys(after), ...removed];
}

function own(record: UnknownRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
