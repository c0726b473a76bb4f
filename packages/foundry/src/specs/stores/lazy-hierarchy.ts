import type { UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Spans } from "../../files/json-text/spans.ts";

/** The share of the nodes that are parsed one by one. After that, parsing all nodes at once is faster. */
const maxSingly = 1 / 8;

/**
 * Returns the hierarchy of a spec file whose nodes are parsed when they are first read. `spans` are the offsets of the
 * nodes, in the order of `ids`. The text was parsed before, so it is known to be valid.
 */
export function createLazyHierarchy(bytes: Buffer, spans: Spans, ids: readonly string[]): UnknownRecord {
  let rows: Map<string, number> | undefined;
  let singly = 0;
  const nodes = new Map<string, unknown>();
  const rowOf = (id: string): number | undefined => {
    rows ??= new Map(ids.map((each, row) => [each, row]));
    return rows.get(id);
  };
  const parse = (start: number, end: number): unknown => parseJsonText(bytes.toString("utf8", start, end));
  const parseAll = () => {
    singly = Number.POSITIVE_INFINITY;
    const all = parse(spans.start, spans.end) as UnknownRecord;
    // A node that was read before stays the same object.
    for (const id of ids) if (!nodes.has(id)) nodes.set(id, all[id]);
  };
  const nodeOf = (id: string, row: number): unknown => {
    if (!nodes.has(id)) {
      if (++singly > ids.length * maxSingly) parseAll();
      else nodes.set(id, parse(spans.valueStarts[row] as number, spans.valueEnds[row] as number));
    }
    return nodes.get(id);
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get(target, key, receiver) {
        const row = typeof key === "string" ? rowOf(key) : undefined;
        return row === undefined ? Reflect.get(target, key, receiver) : nodeOf(key as string, row);
      },
      has: (target, key) => (typeof key === "string" && rowOf(key) !== undefined) || Reflect.has(target, key),
      ownKeys: () => {
        // A caller that lists the nodes reads all of them.
        if (Number.isFinite(singly)) parseAll();
        return [...ids];
      },
      getOwnPropertyDescriptor(_, key) {
        const row = typeof key === "string" ? rowOf(key) : undefined;
        if (row === undefined) return undefined;
        const value = nodeOf(key as string, row);
        return { value, writable: true, enumerable: true, configurable: true };
      },
      set: () => false,
      deleteProperty: () => false,
      defineProperty: () => false,
    },
  );
}
