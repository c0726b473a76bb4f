import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../model/change.ts";
import type { Leases } from "../model/lease.ts";
import { rootId, type SpecDocument, type SpecFolder } from "../model/spec-document.ts";
import type { SpecModel, Tally } from "../model/spec-model.ts";

/** A spec at one revision. */
export interface SpecSnapshot {
  readonly id: string;
  readonly folder: SpecFolder;
  /** A counter and a short hash of the content: `12-3fa9c1d2`. */
  readonly revision: string;
  readonly model: SpecModel;
  /** The size of the text. */
  readonly bytes: number;
  /** The path relative to the specs folder: `active/my-spec.json`. */
  readonly path: string;
  /** The acknowledged revision that another program replaced by this one; it is in the history. */
  readonly overwritten?: string | undefined;
}

/** Returns the path of a new spec, or of one that moves, relative to the specs folder. */
export function toSpecPath(folder: SpecFolder, id: string): string {
  return `${folder}/${id}.json`;
}

/** A revision that was replaced by somebody who had not read it; it is in the history. */
export interface OverwrittenRevision {
  readonly specId: string;
  readonly revision: string;
  /** Who replaced it: another program, or the change itself, which came between the program's open and its write. */
  readonly by: "outside" | "change";
}

/** A spec as listed. */
export interface SpecSummary
  extends Pick<SpecSnapshot, "id" | "folder" | "revision" | "path" | "overwritten"> {
  readonly title: string;
  readonly progress: Tally;
  /** The spec's `last_updated`, if it has one. */
  readonly updated: string | undefined;
  /** The spec's `generated`, if it has one. */
  readonly created?: string | undefined;
  /** The metadata by which specs are filtered and ordered: priority, labels and owner; absent if it has none. */
  readonly planning?: UnknownRecord | undefined;
}

/** A file that should be a spec and cannot be read as one. */
export interface SpecProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A revision of a spec, and how it was made. */
export interface HistoryEntry {
  readonly revision: string;
  /** ISO 8601 in UTC; for an edit outside of Foundry, the time of its detection. */
  readonly at: string;
  readonly author: string;
  /** The call that made it: `task complete`; `edited outside` if another program changed the file. */
  readonly action: string;
  /** The first few nodes that it affected. */
  readonly about: readonly string[];
}

/** The result of a change. */
export interface ChangeResult<R> {
  readonly result: R;
  readonly warnings: readonly string[];
  /** The spec after the change. */
  readonly snapshot: SpecSnapshot;
  readonly isChanged: boolean;
  /** True if an earlier call with the same key made the change: the result is the stored one. */
  readonly isRepeated?: true | undefined;
}

/** Identifies a call, so that a repeated one is recognized. */
export interface IdempotencyKey {
  readonly key: string;
  /** The owner of the key: keys of different owners are distinct. */
  readonly owner?: string | undefined;
  /** A hash of the call's arguments: it must be the same for all calls with this key. */
  readonly fingerprint: string;
}

/** Options of a change. */
export interface ChangeOptions {
  /** Fail with VERSION_CONFLICT unless the spec is at this revision. */
  readonly ifRevision?: string | undefined;
  /** The author of the change. @default "foundry-mcp" */
  readonly author?: string | undefined;
  /** Return the result without writing anything. @default false */
  readonly dryRun?: boolean | undefined;
  /** The action recorded in the history. @default "change" */
  readonly action?: string | undefined;
  /** The idempotency key: within a day, calls with the same key are made once. */
  readonly key?: IdempotencyKey | undefined;
  /** Called for every overwritten revision that the change comes upon, whether or not the change succeeds. */
  readonly onOverwritten?: ((overwritten: OverwrittenRevision) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of creating a spec. */
export type CreateOptions = Pick<ChangeOptions, "author" | "action" | "key">;

/** Options of a rollback. */
export interface RollBackOptions extends ChangeOptions {
  /** Compares the spec before and after, under its lock; throws to refuse, and returns the leases to end. */
  readonly check?: (
    before: SpecModel,
    after: SpecModel,
    context: Pick<ChangeContext, "leases" | "now">,
  ) => Readonly<Record<string, null>>;
}

/** The result of a rollback. */
export interface RollbackResult {
  readonly from_revision: string;
  readonly to_revision: string;
}

/**
 * A store of specs. Every implementation runs `spec-store.suite.ts`. Errors are ContractErrors: SPEC_NOT_FOUND,
 * CONFLICT, VERSION_CONFLICT, RESOURCE_BUSY, CONTENT_TOO_LARGE, INVALID_FORMAT (a file that cannot be parsed),
 * UNAVAILABLE (a disk that is full or read-only).
 */
export interface SpecStore {
  /** Lists all specs, unordered, and the files that should be specs and cannot be read. */
  list(): Promise<{ readonly specs: readonly SpecSummary[]; readonly problems: readonly SpecProblem[] }>;
  /** Reads the current revision of a spec. */
  read(id: string): Promise<SpecSnapshot>;
  /** Reads the exact text of a spec, even if it cannot be parsed. */
  readText(id: string): Promise<Uint8Array>;
  /** Changes a spec. An acknowledged change is durable, and concurrent changes are not lost. */
  change<R>(id: string, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** Creates a spec; the id must be free in every folder. A repeated call returns the spec that the first one created. */
  create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options?: CreateOptions,
  ): Promise<SpecSnapshot>;
  /** Moves a spec to another folder, which is its status, together with edits. */
  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** The leases of a spec, including expired ones. */
  leases(id: string): Promise<Leases>;
  /** The kept revisions, newest first, including the current one. */
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** Reads the exact text of a kept revision; fails with NOT_FOUND for others. */
  readRevision(id: string, revision: string): Promise<Uint8Array>;
  /** Restores the text of a kept revision as a new revision. */
  rollBack(id: string, revision: string, options?: RollBackOptions): Promise<ChangeResult<RollbackResult>>;
  /** Reports whether specs can be read and written, for health checks. */
  probe(): Promise<{ readonly ok: boolean; readonly message?: string | undefined }>;
  /** Calls the listener when any process changes a spec or its leases; returns a function that stops it. */
  watch(listener: (id: string) => void): () => void;
  close(): Promise<void>;
}

/** The part of a store that changes nothing. */
export type SpecReader = Omit<SpecStore, "change" | "create" | "move" | "rollBack">;

/** The part of a summary that a database keeps beside the spec. */
export type StoredSummary = Pick<SpecSummary, "title" | "progress" | "updated" | "created" | "planning">;

/** Summarizes a spec for a database. */
export function toStoredSummary(snapshot: SpecSnapshot): string {
  const { title, progress, updated, created = null, planning } = toSummary(snapshot);
  // The time of creation is always written: a summary without it is of an older version, and says nothing of planning.
  return JSON.stringify({ title, progress, updated, created, planning });
}

/** Summarizes a spec for a list. */
export function toSummary({ id, folder, path, revision, model, overwritten }: SpecSnapshot): SpecSummary {
  const { last_updated: updated, generated: created } = model.fields;
  const planning = planningOf(model.metadata);
  return {
    id,
    folder,
    path,
    revision,
    title: model.title || id,
    progress: model.tally(rootId),
    updated: typeof updated === "string" ? updated : undefined,
    ...(typeof created === "string" ? { created } : {}),
    ...(planning.length === 0 ? {} : { planning: Object.fromEntries(planning) }),
    ...(overwritten === undefined ? {} : { overwritten }),
  };
}

function planningOf(metadata: UnknownRecord): readonly (readonly [string, unknown])[] {
  return ["priority", "labels", "owner", "owners"]
    .map((key) => [key, metadata[key]] as const)
    .filter(([, value]) => value !== undefined && value !== "");
}

/** The maximum number of nodes in a history entry. */
const maxAffected = 3;

/** The first few nodes that edits change, without ancestors, which change along with them. */
export function affectedNodes(edits: readonly Edit[], after: SpecModel): readonly string[] {
  const ids = new Set(
    edits.flatMap(({ path: [top, id] }) => (top === "hierarchy" && typeof id === "string" ? [id] : [])),
  );
  const ancestors = new Set<string>();
  const parentOf = (id: string) => after.node(after.node(id)?.parent ?? "")?.id;
  // Each ancestor is visited once: edits may concern every node of a tree that nests deeply.
  for (const id of ids)
    for (let up = parentOf(id); up !== undefined && up !== id && !ancestors.has(up); up = parentOf(up))
      ancestors.add(up);
  return [...ids].filter((id) => !ancestors.has(id)).slice(0, maxAffected);
}

/** Ids are file names on every system, and never contain a folder. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** True for a valid spec id; anything that could lead out of a folder is invalid. */
export function isSpecId(id: string): boolean {
  return idPattern.test(id) && !id.includes("..") && !id.endsWith(".");
}
