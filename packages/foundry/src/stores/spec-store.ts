import type { Plan } from "../specs/change.ts";
import type { SpecDocument, SpecFolder } from "../specs/spec-document.ts";
import type { SpecModel, Tally } from "../specs/spec-model.ts";

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

/** What a change left behind. */
export interface Changed<R> {
  readonly result: R;
  readonly warnings: readonly string[];
  /** The spec after the change; the one before where nothing was to do. */
  readonly snapshot: SpecSnapshot;
  readonly isChanged: boolean;
}

/** How a change is made. */
export interface ChangeOptions {
  /** Refuse with VERSION_CONFLICT unless the spec is at this revision. */
  readonly ifRevision?: string | undefined;
  /** Who makes it. @default "foundry-mcp" */
  readonly author?: string | undefined;
  /** Plan, check and answer, and write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
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
  change<R>(id: string, plan: Plan<R>, options?: ChangeOptions): Promise<Changed<R>>;
  /** Adds a spec; the id must be free in every folder. */
  create(id: string, document: SpecDocument, folder: SpecFolder): Promise<SpecSnapshot>;
  /** Moves a spec to another folder, which is its status, with the edits that go along. */
  move<R>(id: string, to: SpecFolder, plan: Plan<R>, options?: ChangeOptions): Promise<Changed<R>>;
  /** Says whether specs can be read and written; for health checks. */
  probe(): Promise<{ readonly ok: boolean; readonly message?: string | undefined }>;
  /** Told when a spec has changed, by whomever it was noticed; returns how to stop. */
  watch(listener: (id: string) => void): () => void;
  close(): Promise<void>;
}
