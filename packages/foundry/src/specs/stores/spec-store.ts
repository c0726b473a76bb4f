import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Change, ChangeContext, Plan } from "../model/change.ts";
import type { Leases } from "../model/lease.ts";
import { rootId, type SpecDocument, type SpecFolder } from "../model/spec-document.ts";
import type { SpecModel, Tally } from "../model/spec-model.ts";

/** A spec at one revision. */
export interface SpecSnapshot {
  readonly id: string;
  readonly folder: SpecFolder;
  /** The counter and a short hash of the content, such as `12-3fa9c1d2`. */
  readonly revision: string;
  readonly model: SpecModel;
  /** The size of the text in bytes. */
  readonly bytes: number;
  /** The path relative to the specs folder, such as `active/my-spec.json`. */
  readonly path: string;
  /**
   * The acknowledged revision that another program replaced with this revision. The history contains the
   * replaced revision.
   */
  readonly overwritten?: string | undefined;
}

/** Returns the path of a new or moved spec, relative to the specs folder. */
export function toSpecPath(folder: SpecFolder, id: string): string {
  return `${folder}/${id}.json`;
}

/**
 * A revision that was replaced by a program that had not read the revision. The history contains the replaced
 * revision.
 */
export interface OverwrittenRevision {
  readonly specId: string;
  readonly revision: string;
  /**
   * The writer that replaced the revision. `outside` means another program. `change` means the change itself,
   * which happened after another program had opened the file and before that program wrote to it.
   */
  readonly by: "outside" | "change";
}

/** A spec in the form of a list. */
export interface SpecSummary
  extends Pick<SpecSnapshot, "id" | "folder" | "revision" | "path" | "overwritten"> {
  readonly title: string;
  readonly progress: Tally;
  /** The value of the field `last_updated`, if the spec has this field. */
  readonly updated: string | undefined;
  /** The value of the field `generated`, if the spec has this field. */
  readonly created?: string | undefined;
  /**
   * The metadata by which specs are filtered and sorted: priority, labels and owner. The member is absent if
   * the spec has none of them.
   */
  readonly planning?: UnknownRecord | undefined;
}

/** A file in a specs folder that cannot be read as a spec. */
export interface SpecProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A revision of a spec, and a description of the change that produced it. */
export interface HistoryEntry {
  readonly revision: string;
  /**
   * The time of the change, ISO 8601 in UTC. For an edit outside of Foundry, the time when the edit was
   * detected.
   */
  readonly at: string;
  readonly author: string;
  /**
   * The call that produced the revision, such as `task complete`; `edited outside` if another program changed
   * the file.
   */
  readonly action: string;
  /** The ids of the first few nodes that the change is about. */
  readonly about: readonly string[];
  /** The folder from which the change moved the spec; absent if the spec was not moved. */
  readonly moved_from?: SpecFolder | undefined;
}

/** A spec in the trash. `folder` is the folder from which the spec was removed. */
export interface TrashedSpec extends SpecSummary {
  /** The time of the deletion, ISO 8601 in UTC. */
  readonly at: string;
  /** The author of the deletion. */
  readonly author: string;
}

/**
 * A plan that does not change the text of a spec. Such a plan may refuse the change, return a result and end
 * leases.
 */
export type ShelfPlan<R> = (spec: SpecModel, context: ChangeContext) => Omit<Change<R>, "edits" | "marks">;

/** The result of a change. */
export interface ChangeResult<R> {
  readonly result: R;
  readonly warnings: readonly string[];
  /** The spec after the change. */
  readonly snapshot: SpecSnapshot;
  readonly isChanged: boolean;
  /** True if an earlier call with the same key made the change. `result` is then the stored result. */
  readonly isRepeated?: true | undefined;
}

/** The identity of a call, by which a repeated call is recognized. */
export interface IdempotencyKey {
  readonly key: string;
  /** The owner of the key. Equal keys of different owners are different keys. */
  readonly owner?: string | undefined;
  /** The hash of the arguments of the call. All calls with the same key must have the same hash. */
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
  /** The idempotency key. Calls with the same key within a day are executed only once. */
  readonly key?: IdempotencyKey | undefined;
  /**
   * A function that the store calls once for each overwritten revision that it detects while it makes the change. The
   * store calls the function even if the change then fails.
   */
  readonly onOverwritten?: ((overwritten: OverwrittenRevision) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of creating a spec. */
export type CreateOptions = Pick<ChangeOptions, "author" | "action" | "key">;

/** Options of a rollback. */
export interface RollBackOptions extends ChangeOptions {
  /**
   * Compares the spec before and after the rollback while the lock is held. The function throws to refuse the
   * rollback, and returns the leases to end.
   */
  readonly check?: (
    before: SpecModel,
    after: SpecModel,
    context: Pick<ChangeContext, "leases" | "now">,
  ) => Readonly<Record<string, null>>;
  /** The folder to which the spec is moved. @default the current folder */
  readonly to?: SpecFolder | undefined;
}

/** The result of a rollback. */
export interface RollbackResult {
  readonly from_revision: string;
  readonly to_revision: string;
}

/**
 * A store of specs. Every implementation passes `spec-store.suite.ts`. All errors are ContractErrors with the
 * codes SPEC_NOT_FOUND, CONFLICT, VERSION_CONFLICT, RESOURCE_BUSY, CONTENT_TOO_LARGE, INVALID_FORMAT (a file
 * cannot be parsed) or UNAVAILABLE (a disk is full or read-only).
 */
export interface SpecStore {
  /** Lists all specs in any order, and the files in the specs folders that cannot be read as specs. */
  list(): Promise<{ readonly specs: readonly SpecSummary[]; readonly problems: readonly SpecProblem[] }>;
  /** Reads the current revision of a spec. */
  read(id: string): Promise<SpecSnapshot>;
  /** Reads the exact text of a spec, even if it cannot be parsed. */
  readText(id: string): Promise<Uint8Array>;
  /** Changes a spec. An acknowledged change is durable, and concurrent changes are not lost. */
  change<R>(id: string, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /**
   * Creates a spec. The id must not exist in any folder. A repeated call returns the spec that the first call
   * created.
   */
  create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options?: CreateOptions,
  ): Promise<SpecSnapshot>;
  /** Moves a spec to another folder, which becomes its status. The same change may also edit the spec. */
  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** Returns the leases of a spec, including expired leases. */
  leases(id: string): Promise<Leases>;
  /** Returns the kept revisions, including the current revision. The newest revision comes first. */
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** Reads the exact text of a kept revision. Fails with NOT_FOUND for any other revision. */
  readRevision(id: string, revision: string): Promise<Uint8Array>;
  /** Restores the text of a kept revision as a new revision. */
  rollBack(id: string, revision: string, options?: RollBackOptions): Promise<ChangeResult<RollbackResult>>;
  /**
   * Moves a spec to the trash. The trash keeps the history and the folder of the spec. A spec in the trash is
   * not listed and cannot be read or changed, and its id cannot be used for another spec.
   */
  remove<R>(id: string, plan: ShelfPlan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** Moves a spec from the trash back to the folder from which it was removed. */
  restore<R>(id: string, plan: ShelfPlan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** Lists the specs in the trash in any order. */
  trash(): Promise<readonly TrashedSpec[]>;
  /** Returns whether specs can be read and written. Health checks use this function. */
  probe(): Promise<{ readonly ok: boolean; readonly message?: string | undefined }>;
  /**
   * Calls the listener when any process changes a spec or its leases. Returns a function that stops watching.
   */
  watch(listener: (id: string) => void): () => void;
  close(): Promise<void>;
}

/** The read-only part of a store. */
export type SpecReader = Omit<SpecStore, "change" | "create" | "move" | "rollBack" | "remove" | "restore">;

/** The part of a summary that a database stores in columns of the spec. */
export type StoredSummary = Pick<SpecSummary, "title" | "progress" | "updated" | "created" | "planning">;

/** Returns the summary of a spec that a database stores. */
export function toStoredSummary(snapshot: SpecSnapshot): string {
  const { title, progress, updated, created = null, planning } = toSummary(snapshot);
  // The time of creation is always written. A summary without this time comes from an older version and lacks
  // the planning fields.
  return JSON.stringify({ title, progress, updated, created, planning });
}

/** Returns the summary of a spec that a list shows. */
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

/** Matches ids that are valid file names on every system. Such an id never contains a folder. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** True for a valid spec id. An id that could lead out of a folder is invalid. */
export function isSpecId(id: string): boolean {
  return idPattern.test(id) && !id.includes("..") && !id.endsWith(".");
}
