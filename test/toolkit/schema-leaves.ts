import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/**
 * Returns the leaves of an input schema as paths, such as `phases[].tasks[].title`. A parameter is a leaf, unless it
 * is an object or a list of objects. Objects and lists of objects are replaced by their members, at any depth. An
 * object whose members have no fixed names is a leaf.
 */
export function leavesOf(schema: UnknownRecord): readonly string[] {
  const leaves = new Set<string>();
  const visit = (path: string, json: unknown, above: readonly unknown[]): void => {
    const parts = partsOf(json, schema).filter((part) => !above.includes(part));
    const members = parts.flatMap((part) => Object.entries((part["properties"] ?? {}) as UnknownRecord));
    const lists = parts.flatMap(({ items, prefixItems }) => [items, prefixItems].flat().filter(isRecord));
    const below = [...above, ...parts];
    const found = leaves.size;
    for (const [name, member] of members) visit(path === "" ? name : `${path}.${name}`, member, below);
    for (const item of lists) if (hasMembers(item, schema)) visit(`${path}[]`, item, below);
    if (leaves.size === found && members.length === 0 && path !== "") leaves.add(path);
  };
  visit("", schema, []);
  return [...leaves].toSorted();
}

/** Returns a copy of arguments with a value at a path. In a path, `[]` is the first item. */
export function withValueAt(args: UnknownRecord, path: string, value: unknown): UnknownRecord {
  const keys = path.split(/\.|(?=\[\])/).map((key) => (key === "[]" ? 0 : key));
  const place = (holder: unknown, [key, ...rest]: readonly (string | number)[]): unknown => {
    if (key === undefined) return value;
    if (typeof key !== "number") {
      const record = isRecord(holder) ? holder : {};
      return { ...record, [key]: place(record[key], rest) };
    }
    const [first, ...others] = Array.isArray(holder) ? holder : [];
    return [place(first, rest), ...others];
  };
  return place(args, keys) as UnknownRecord;
}

function hasMembers(json: UnknownRecord, root: UnknownRecord): boolean {
  return partsOf(json, root).some((part) => isRecord(part["properties"]));
}

/** Returns the parts of the schema with its references and combinations resolved. */
function partsOf(json: unknown, root: UnknownRecord): readonly UnknownRecord[] {
  const parts = new Set([json].filter(isRecord));
  for (const part of parts) {
    const { $ref: reference, anyOf, oneOf, allOf } = part;
    const target =
      typeof reference === "string"
        ? reference
            .split("/")
            .slice(1)
            .reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), root)
        : undefined;
    for (const each of [target, anyOf, oneOf, allOf].flat()) if (isRecord(each)) parts.add(each);
  }
  return [...parts];
}
