import { ContractError, isRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import { dependencyFields, recordLists } from "../known-values.ts";
import type { SpecModel } from "../spec-model.ts";

/** What a field must be so that a change can add to it. */
type Kind = "a list" | "an object";

type Kinds = Readonly<Record<string, Kind>>;

const specKinds: Kinds = { journal: "a list", metadata: "an object" };
const nodeKinds: Kinds = { metadata: "an object", children: "a list", dependencies: "an object" };
/** The kinds of the members of a node's `dependencies` and of any `metadata`. Callers set other members as they like. */
const memberKinds: Readonly<Record<string, Kinds>> = {
  dependencies: allLists(dependencyFields),
  metadata: allLists(recordLists),
};

function allLists(names: readonly string[]): Kinds {
  return Object.fromEntries(names.map((name) => [name, "a list"]));
}

/**
 * Throws if a change would create a list or an object in the place of a value of another kind. Reading such a value as
 * if it were missing is harmless, but writing the field would delete what a person or another program stored there.
 */
export function requireKeptValues(spec: SpecModel, edits: readonly Edit[]): void {
  for (const edit of edits) {
    if (edit.op !== "set" || typeof edit.value !== "object" || edit.value === null) continue;
    const kind = kindOf(edit.path);
    if (kind === undefined) continue;
    const stored = valueAt(spec, edit.path);
    const isKept = isEmpty(stored) || (kind === "a list" ? Array.isArray(stored) : isRecord(stored));
    if (!isKept) throw wrongKind(spec, edit.path, stored, kind);
  }
}

/** True for a value that nobody misses: people and models often write `[]` in the place of an object. */
function isEmpty(stored: unknown): boolean {
  if (stored === undefined || stored === null || stored === "") return true;
  return typeof stored === "object" && Object.keys(stored).length === 0;
}

function kindOf(path: EditPath): Kind | undefined {
  const isInNode = path[0] === "hierarchy";
  const [field = "", member, ...deeper] = (isInNode ? path.slice(2) : path).map(String);
  if (deeper.length > 0) return undefined;
  if (member !== undefined) return own(own(memberKinds, field), member);
  return own(isInNode ? nodeKinds : specKinds, field);
}

function own<T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

function valueAt(spec: SpecModel, path: EditPath): unknown {
  const [first, id, ...inNode] = path;
  const isInNode = first === "hierarchy";
  let value: unknown = isInNode ? spec.node(String(id))?.raw : spec.fields;
  for (const key of isInNode ? inNode : path)
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function wrongKind(spec: SpecModel, path: EditPath, stored: unknown, kind: Kind): ContractError {
  const [first, id, ...inNode] = path.map(String);
  const [owner, field] =
    first === "hierarchy" ? [String(id), inNode.join(".")] : [`spec "${spec.id}"`, path.join(".")];
  const found = Array.isArray(stored) ? "a list" : isRecord(stored) ? "an object" : `a ${typeof stored}`;
  return new ContractError(`Cannot change ${owner}: its field ${field} is ${found}, not ${kind}`, {
    errorCode: "INVALID_STATE",
    remediation: `Make ${field} ${kind} in the file, so that the change does not delete it; {1} shows the place.`,
    remedy: { tool: "spec", action: "validate", arguments: { spec_id: spec.id } },
    details: { spec_id: spec.id, field: path.join("."), found, expected: kind },
  });
}
