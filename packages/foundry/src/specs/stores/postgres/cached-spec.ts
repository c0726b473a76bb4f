import type { Edit } from "../../../files/json-text/edit.ts";
import { type Lease, type Leases, withLeases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { parseSpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";

/** The row of a spec. */
export interface SpecRow {
  readonly spec: number;
  readonly folder: SpecFolder;
  /** Counts whatever is written of it. */
  readonly turn: number;
  /** Counts its revisions. */
  readonly counter: number;
  readonly hash: string;
  readonly bytes: number;
  /** How many of its chunks hold more than ASCII. */
  readonly wide: number;
  /** How many leases were given out. */
  readonly fence: number;
  /** JSON. */
  readonly marks: string;
}

/** A spec as it was at one turn, with what is kept beside it. */
export interface CachedSpec extends Omit<SpecRow, "marks"> {
  readonly marks: Readonly<Record<string, number>>;
  readonly leases: Leases;
  readonly snapshot: SpecSnapshot;
}

/** What one turn has done to a spec, for those who know the turn before. */
export interface Delta {
  readonly edits?: readonly Edit[] | undefined;
  readonly leases?: Readonly<Record<string, Lease | null>> | undefined;
}

/** A spec out of its row, its text and its leases. */
export function toCachedSpec(id: string, row: SpecRow, text: string, leases: readonly string[]): CachedSpec {
  const { model } = parseSpecFile(Buffer.from(text), pathOf(id, row.folder));
  const all = leases.map((lease) => JSON.parse(lease) as Lease);
  return withRow(id, row, model, new Map(all.map((lease) => [lease.task_id, lease])));
}

/** A spec some turns later. */
export function applyDeltas(held: CachedSpec, row: SpecRow, deltas: readonly Delta[]): CachedSpec {
  let { leases } = held;
  let { model } = held.snapshot;
  for (const delta of deltas) {
    leases = withLeases(leases, delta.leases);
    model = model.after(delta.edits ?? []);
  }
  return withRow(held.snapshot.id, row, model, leases);
}

/** A spec with another row. */
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

/** Where a spec would be among files: what users call it by is the same everywhere. */
export function pathOf(id: string, folder: SpecFolder): string {
  return `${folder}/${id}.json`;
}
