import type { Edit } from "../../../files/json-text/edit.ts";
import { type Lease, type Leases, withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { parseSpecText, requireSize } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";

/** The row of a spec. */
export interface SpecRow {
  readonly spec: number;
  readonly folder: SpecFolder;
  /** The row version. Every write increments the row version. */
  readonly turn: number;
  /** The revision counter. */
  readonly counter: number;
  readonly hash: string;
  readonly bytes: number;
  /** The number of chunks that contain non-ASCII text. */
  readonly wide: number;
  /** The number of leases granted so far. */
  readonly fence: number;
  /** The highest node numbers assigned so far, as JSON. */
  readonly marks: string;
  /** True for a spec in the trash. */
  readonly deleted: boolean;
}

/** A spec with its leases at one row version. */
export interface CachedSpec extends Omit<SpecRow, "marks"> {
  readonly marks: Readonly<Record<string, number>>;
  readonly leases: Leases;
  readonly snapshot: SpecSnapshot;
}

/**
 * The changes of one write. A server that has the previous version in its cache applies these changes to that
 * version.
 */
export interface Delta {
  readonly edits?: readonly Edit[] | undefined;
  readonly leases?: Readonly<Record<string, Lease | null>> | undefined;
}

/** Builds a spec from its row, text and leases. */
export function toCachedSpec(id: string, row: SpecRow, text: string, leases: readonly string[]): CachedSpec {
  const path = pathOf(id, row.folder);
  requireSize(row.bytes, path);
  const model = parseSpecText(text, path);
  const all = leases.map((lease) => JSON.parse(lease) as Lease);
  return withRow(id, row, model, new Map(all.map((lease) => [lease.task_id, lease])));
}

/** Updates a cached spec to the current row version by applying deltas. */
export function applyDeltas(cached: CachedSpec, row: SpecRow, deltas: readonly Delta[]): CachedSpec {
  let { leases } = cached;
  let { model } = cached.snapshot;
  for (const delta of deltas) {
    leases = withLeases(leases, delta.leases);
    model = model.after(delta.edits ?? []);
  }
  return withRow(cached.snapshot.id, row, model, leases);
}

/** Builds a spec from a row and its parsed parts. */
export function withRow(id: string, row: SpecRow, model: SpecModel, leases: Leases): CachedSpec {
  const { folder, counter, hash, bytes, marks, ...rest } = row;
  const path = pathOf(id, folder);
  return {
    ...rest,
    folder,
    counter,
    hash,
    bytes,
    marks: JSON.parse(marks) as Record<string, number>,
    leases,
    snapshot: { id, folder, revision: `${counter}-${hash}`, model, bytes, path },
  };
}

/**
 * Returns the path that a spec has in a file store. All stores use this path, so that their messages are the
 * same.
 */
export function pathOf(id: string, folder: SpecFolder): string {
  return `${folder}/${id}.json`;
}
