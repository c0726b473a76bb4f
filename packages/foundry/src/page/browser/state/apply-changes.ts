import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { SpecChanges } from "../../../specs/model/diff/changes-since.ts";
import { SpecModel } from "../../../specs/model/spec-model.ts";

/** The members of a spec that are not fields of it. */
const others: ReadonlySet<string> = new Set(["hierarchy", "journal", "spec_id"]);

/**
 * Returns a spec after changes. Unchanged nodes keep their objects, so that a change of one task costs the same in a
 * spec of any size, and the views render only what changed.
 */
export function applyChanges(spec: SpecModel, { fields, nodes, removed, journal }: SpecChanges): SpecModel {
  const entries = [...spec.journal.slice(0, journal.kept), ...journal.added];
  const edits: Edit[] = [];
  let isReshaped = removed.length > 0;
  for (const [id, raw] of Object.entries(nodes)) {
    const before = spec.node(id)?.raw;
    if (before === undefined) isReshaped = true;
    else
      for (const field of new Set([...Object.keys(before), ...Object.keys(raw)])) {
        const path = ["hierarchy", id, field];
        if (!Object.hasOwn(raw, field)) edits.push({ op: "remove", path });
        else if (!isSame(before[field], raw[field])) {
          if (field === "children" || field === "type") isReshaped = true;
          edits.push({ op: "set", path, value: raw[field] as never });
        }
      }
  }
  if (isReshaped) {
    const gone = new Set(removed);
    const kept = Object.entries(spec.document["hierarchy"] as UnknownRecord).filter(([id]) => !gone.has(id));
    const hierarchy = Object.fromEntries([...kept, ...Object.entries(nodes)]);
    return new SpecModel({ ...fields, spec_id: spec.id, hierarchy, journal: entries });
  }
  for (const field of Object.keys(spec.fields))
    if (!others.has(field) && !Object.hasOwn(fields, field)) edits.push({ op: "remove", path: [field] });
  for (const [field, value] of Object.entries({ ...fields, journal: entries }))
    if (value !== spec.fields[field]) edits.push({ op: "set", path: [field], value: value as never });
  return spec.after(edits);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
