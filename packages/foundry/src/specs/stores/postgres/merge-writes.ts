import type { Edit } from "../../../files/json-text/edit.ts";
import type { Delta } from "./cached-spec.ts";
import { type Chunk, positionOf } from "./chunks/chunk.ts";
import type { SpecWrite } from "./write-spec.ts";

/** Merges the writes of consecutive changes to one write. */
export function mergeWrites(writes: readonly Omit<SpecWrite, "turn">[]): Omit<SpecWrite, "turn"> {
  const [first] = writes;
  const last = writes.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("There is nothing to write");
  if (first === last) return first;
  const written = new Map<string, Chunk>();
  const removed = new Map<string, SpecWrite["removed"][number]>();
  for (const write of writes) {
    for (const chunk of write.removed) {
      written.delete(positionOf(chunk));
      removed.set(positionOf(chunk), chunk);
    }
    for (const chunk of write.written) {
      removed.delete(positionOf(chunk));
      written.set(positionOf(chunk), chunk);
    }
  }
  return {
    ...last,
    marks: writes.findLast(({ marks }) => marks !== undefined)?.marks,
    summary: writes.findLast(({ summary }) => summary !== undefined)?.summary,
    written: [...written.values()],
    removed: [...removed.values()],
    delta: mergeDeltas(writes.map(({ delta }) => delta)),
    leases: Object.assign({}, ...writes.map(({ leases }) => leases)),
    revisions: writes.flatMap(({ revisions }) => revisions),
    responses: writes.flatMap(({ responses }) => responses),
  };
}

function mergeDeltas(deltas: readonly (Delta | undefined)[]): Delta | undefined {
  const edits: Edit[] = [];
  const leases = {};
  for (const delta of deltas) {
    if (delta === undefined) return undefined;
    edits.push(...(delta.edits ?? []));
    Object.assign(leases, delta.leases);
  }
  return { edits, leases };
}
