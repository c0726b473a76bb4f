import type { Edit } from "../../files/json-text/edit.ts";
import type { ChangeContext, Plan } from "../model/change.ts";
import type { Leases } from "../model/lease.ts";
import { rootId, type SpecDocument, type SpecFolder } from "../model/spec-document.ts";
import type { SpecModel, Tally } from "../model/spec-model.ts";

/** A spec as it was at one moment. */
export interface SpecSnapshot {
  readonly id: string;
  readonly folder: SpecFolder;
  /** A counter and a short hash of the content: `12-3fa9c1d2`. */
  readonly revision: string;
  readonly model: SpecModel;
  /** The size of the file. */
  readonly bytes: number;
  /** Where it is, from the specs folder: `active/my-spec.json`. */
  readonly path: string;
}

/** What a list tells of a spec. */
export interface SpecSummary extends Pick<SpecSnapshot, "id" | "folder" | "revision" | "path"> {
  readonly title: string;
  readonly progress: Tally;
  /** The spec's `last_updated`, where it has one. */
  readonly updated: string | undefined;
}

/** A file in the place of a spec that cannot be read as one. */
export interface SpecProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A revision that a spec was at, and how it came to be. */
export interface HistoryEntry {
  readonly revision: string;
  /** ISO 8601 in UTC; of what others did to the file, when it was noticed. */
  readonly at: string;
  readonly author: string;
  /** What was done, as a call: `task complete`; `edited outside` where somebody else changed the file. */
  readonly action: string;
  /** The nodes that it was about, the first ones. */
  readonly about: readonly string[];
}

/** What a change left behind. */
export interface ChangeResult<R> {
  readonly result: R;
  readonly warnings: readonly string[];
  /** The spec after the change; the one before where nothing was to do. */
  readonly snapshot: SpecSnapshot;
  readonly isChanged: boolean;
  /** True where the change was made before, by a call with the same key: the result is that of then. */
  readonly isRepeated?: true | undefined;
}

/** What tells a call that is made again from another. */
export interface IdempotencyKey {
  readonly key: string;
  /** Whose key it is: those of others are other keys. */
  readonly owner?: string | undefined;
  /** Stands for what the call asks for: under one key it must be the same. */
  readonly fingerprint: string;
}

/** How a change is made. */
export interface ChangeOptions {
  /** Refuse with VERSION_CONFLICT unless the spec is at this revision. */
  readonly ifRevision?: string | undefined;
  /** Who makes it. @default "foundry-mcp" */
  readonly author?: string | undefined;
  /** Plan, check and answer, and write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** What it does, for the history. @default "change" */
  readonly action?: string | undefined;
  /** For a call that may be made again: within a day it is made once. */
  readonly key?: IdempotencyKey | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a spec is added. */
export type CreateOptions = Pick<ChangeOptions, "author" | "action" | "key">;

/** How a spec is rolled back. */
export interface RollBackOptions extends ChangeOptions {
  /** Looks at the spec before and after, under its lock; may refuse by throwing, and says which leases end. */
  readonly check?: (
    before: SpecModel,
    after: SpecModel,
    context: Pick<ChangeContext, "leases" | "now">,
  ) => Readonly<Record<string, null>>;
}

/** What is told of a spec that was rolled back. */
export interface RollbackResult {
  readonly from_revision: string;
  readonly to_revision: string;
}

/**
 * Where specs are kept. Every implementation runs `spec-store.suite.ts`. Failures are ContractErrors:
 * SPEC_NOT_FOUND, CONFLICT, VERSION_CONFLICT, RESOURCE_BUSY, CONTENT_TOO_LARGE, INVALID_FORMAT (a file that
 * cannot be parsed), UNAVAILABLE (a disk that is full or read-only).
 */
export interface SpecStore {
  /** Every spec, in no order, and every file that should be one and cannot be read. */
  list(): Promise<{ readonly specs: readonly SpecSummary[]; readonly problems: readonly SpecProblem[] }>;
  /** The spec of an id as it is now. */
  read(id: string): Promise<SpecSnapshot>;
  /** The text of a spec, byte for byte, also of one that cannot be read as a spec. */
  readText(id: string): Promise<Uint8Array>;
  /** Changes a spec: acknowledged means kept, and nobody's change is lost. */
  change<R>(id: string, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** Adds a spec; the id must be free in every folder. Of a call that was made before it gives what was added then. */
  create(
    id: string,
    document: SpecDocument,
    folder: SpecFolder,
    options?: CreateOptions,
  ): Promise<SpecSnapshot>;
  /** Moves a spec to another folder, which is its status, with the edits that go along. */
  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options?: ChangeOptions): Promise<ChangeResult<R>>;
  /** The leases there are, those that ran out too. */
  leases(id: string): Promise<Leases>;
  /** The revisions that are kept, the newest first; the one that there is now is among them. */
  history(id: string): Promise<readonly HistoryEntry[]>;
  /** The text of a spec at a revision that is kept, byte for byte; else NOT_FOUND. */
  readRevision(id: string, revision: string): Promise<Uint8Array>;
  /** Makes the text of a spec what it was at a revision that is kept; history goes on from there. */
  rollBack(id: string, revision: string, options?: RollBackOptions): Promise<ChangeResult<RollbackResult>>;
  /** Says whether specs can be read and written; for health checks. */
  probe(): Promise<{ readonly ok: boolean; readonly message?: string | undefined }>;
  /** Told when a spec or its leases have changed, by whatever process; returns how to stop. */
  watch(listener: (id: string) => void): () => void;
  close(): Promise<void>;
}

/** What a list tells of a spec. */
export function toSummary({ id, folder, path, revision, model }: SpecSnapshot): SpecSummary {
  const { last_updated: updated } = model.fields;
  return {
    id,
    folder,
    path,
    revision,
    title: model.title || id,
    progress: model.tally(rootId),
    updated: typeof updated === "string" ? updated : undefined,
  };
}

/** How many nodes the history names. */
const mostNamed = 3;

/** The nodes that edits are about; what is above them changes along with them. */
export function affectedNodes(edits: readonly Edit[], after: SpecModel): readonly string[] {
  const ids = new Set(
    edits.flatMap(({ path: [top, id] }) => (top === "hierarchy" && typeof id === "string" ? [id] : [])),
  );
  const above = new Set(
    [...ids].flatMap((id) =>
      after
        .ancestry(id)
        .slice(1)
        .map((node) => node.id),
    ),
  );
  return [...ids].filter((id) => !above.has(id)).slice(0, mostNamed);
}

/** What may stand in the place of an id: a file name without folders, on every system. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** True for an id that a spec can have; whatever could lead out of a folder is none. */
export function isSpecId(id: string): boolean {
  return pattern.test(id) && !id.includes("..") && !id.endsWith(".");
}
