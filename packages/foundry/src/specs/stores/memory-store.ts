import { createHash, randomBytes } from "node:crypto";
import type { JsonValue } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../files/json-text/edit.ts";
import type { Change, Plan } from "../model/change.ts";
import { type Leases, withLeases } from "../model/lease.ts";
import type { SpecDocument, SpecFolder } from "../model/spec-document.ts";
import { SpecModel } from "../model/spec-model.ts";
import {
  type ChangeOptions,
  type ChangeResult,
  type HistoryEntry,
  type IdempotencyKey,
  isSpecId,
  type RollbackResult,
  type ShelfPlan,
  type SpecSnapshot,
  type SpecStore,
  toSpecPath,
  toSummary,
} from "./spec-store.ts";
import {
  invalidSpecId,
  revisionNotKept,
  specExists,
  specNotFound,
  specNotTrashed,
  specTrashed,
  versionConflict,
} from "./store-failures.ts";
import { replayResponse, type StoredResponse } from "./stored-response.ts";

interface StoredSpec {
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
  readonly marks: Readonly<Record<string, number>>;
  readonly leases: Leases;
  /** The number of leases granted so far. */
  readonly fence: number;
  /** All revisions; the current revision is the last. */
  readonly revisions: readonly (HistoryEntry & { readonly document: SpecDocument })[];
  readonly responses: ReadonlyMap<string, StoredResponse>;
  readonly isTrashed: boolean;
}

/**
 * The target of a change: a folder, the trash or, for a spec in the trash, the folder from which the spec was
 * removed.
 */
interface Target {
  readonly folder?: SpecFolder | undefined;
  /** The move to or from the trash. @default the spec is not in the trash, and is not moved there */
  readonly shelf?: "trash" | "folders" | undefined;
}

/** Creates a store in memory. This store is the reference implementation of a store. */
export function createMemoryStore(now: () => string = () => new Date().toISOString()): SpecStore {
  const specs = new Map<string, StoredSpec>();
  /** The responses to calls with an idempotency key that created specs. */
  const created = new Map<string, StoredResponse>();
  const listeners = new Set<(id: string) => void>();

  function findAny(id: string): StoredSpec {
    const stored = specs.get(id);
    if (stored === undefined) throw specNotFound(id);
    return stored;
  }

  function find(id: string): StoredSpec {
    const stored = findAny(id);
    if (stored.isTrashed) throw specTrashed(id);
    return stored;
  }

  function documentAt(id: string, revision: string): SpecDocument {
    const found = find(id).revisions.findLast((each) => each.revision === revision);
    if (found === undefined) throw revisionNotKept(id, revision);
    return found.document;
  }

  function toStoredSpec(
    id: string,
    folder: SpecFolder,
    document: SpecDocument,
    { author = "foundry-mcp", action = "change" }: Pick<ChangeOptions, "author" | "action">,
    before?: StoredSpec,
  ): StoredSpec {
    const counter = (before?.counter ?? 0) + 1;
    const text = toText(document);
    const revision = `${counter}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
    const snapshot: SpecSnapshot = {
      id,
      folder,
      revision,
      model: new SpecModel(document, undefined, id),
      bytes: text.byteLength,
      path: toSpecPath(folder, id),
    };
    const left = before?.snapshot.folder ?? folder;
    const moved = left === folder ? {} : { moved_from: left };
    const revisions = [
      ...(before?.revisions ?? []),
      { revision, at: now(), author, action, about: [], ...moved, document },
    ];
    return {
      marks: {},
      leases: new Map(),
      fence: 0,
      responses: new Map(),
      isTrashed: false,
      ...before,
      snapshot,
      counter,
      revisions,
    };
  }

  function notify(id: string): void {
    for (const listener of listeners) listener(id);
  }

  function applyChange<R>(
    id: string,
    { folder: to, shelf }: Target,
    plan: Plan<R>,
    options: ChangeOptions,
  ): ChangeResult<R> {
    const stored = shelf === undefined ? find(id) : findAny(id);
    const { snapshot, marks, leases, fence } = stored;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = options;
    const time = now();
    const replayed = key && replayResponse<R>(key, stored.responses.get(toName(key)), time);
    if (replayed !== undefined) return { ...replayed, snapshot, isChanged: false, isRepeated: true };
    if (shelf === "trash" && stored.isTrashed) throw specTrashed(id);
    if (shelf === "folders" && !stored.isTrashed) throw specNotTrashed(id, snapshot.folder);
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const change: Change<R> = plan(snapshot.model, {
      now: time,
      author,
      folder: snapshot.folder,
      marks,
      leases,
      newToken: `${fence + 1}-${randomBytes(4).toString("hex")}`,
    });
    const { result, warnings = [], edits } = change;
    const folder = to ?? snapshot.folder;
    if (dryRun) return { result, warnings, snapshot, isChanged: false };
    const isChanged = edits.length > 0 || folder !== snapshot.folder || shelf !== undefined;
    const after = isChanged
      ? toStoredSpec(id, folder, applyEdits(snapshot.model.document, edits), options, stored)
      : stored;
    const { revision } = after.snapshot;
    const responses =
      key === undefined
        ? after.responses
        : new Map([
            ...after.responses,
            [toName(key), { fingerprint: key.fingerprint, at: time, revision, result, warnings }] as const,
          ]);
    specs.set(id, {
      ...after,
      marks: { ...marks, ...change.marks },
      leases: withLeases(leases, change.leases),
      fence: change.leases === undefined ? fence : fence + 1,
      responses,
      isTrashed: shelf === "trash",
    });
    if (isChanged || change.leases !== undefined) notify(id);
    return { result, warnings, snapshot: after.snapshot, isChanged };
  }

  return {
    async list() {
      const listed = [...specs.values()].filter(({ isTrashed }) => !isTrashed);
      return { specs: listed.map(({ snapshot }) => toSummary(snapshot)), problems: [] };
    },
    read: async (id) => find(id).snapshot,
    readText: async (id) => toText(find(id).snapshot.model.document),
    change: async (id, plan, options = {}) => applyChange(id, {}, plan, options),
    move: async (id, to, plan, options = {}) => applyChange(id, { folder: to }, plan, options),
    remove: async (id, plan, options = {}) => applyChange(id, { shelf: "trash" }, toPlan(plan), options),
    restore: async (id, plan, options = {}) => applyChange(id, { shelf: "folders" }, toPlan(plan), options),
    async trash() {
      const trashed = [...specs.values()].filter(({ isTrashed }) => isTrashed);
      return trashed.map(({ snapshot, revisions }) => {
        const { at = "", author = "" } = revisions.at(-1) ?? {};
        return { ...toSummary(snapshot), at, author };
      });
    },
    async create(id, document, folder, options = {}) {
      if (!isSpecId(id)) throw invalidSpecId(id);
      const { key } = options;
      const replayed = key && replayResponse<string>(key, created.get(toName(key)), now());
      if (replayed !== undefined && specs.has(replayed.result)) return find(replayed.result).snapshot;
      const known = specs.get(id);
      if (known !== undefined) throw specExists(id, known.isTrashed ? "trash" : known.snapshot.folder);
      const stored = toStoredSpec(id, folder, document, options);
      specs.set(id, stored);
      if (key !== undefined)
        created.set(toName(key), {
          fingerprint: key.fingerprint,
          at: now(),
          revision: "",
          result: id,
          warnings: [],
        });
      notify(id);
      return stored.snapshot;
    },
    leases: async (id) => find(id).leases,
    history: async (id) =>
      find(id)
        .revisions.map(({ document: _, ...entry }) => entry)
        .toReversed(),
    readRevision: async (id, revision) => toText(documentAt(id, revision)),
    async rollBack(id, revision, { check, to, ...options } = {}): Promise<ChangeResult<RollbackResult>> {
      const document = documentAt(id, revision);
      // A rollback replaces the whole document.
      const restore: Plan<RollbackResult> = (spec, context) => {
        const result = { from_revision: find(id).snapshot.revision, to_revision: revision };
        const leases = check?.(spec, new SpecModel(document), context);
        if (isSameText(document, spec.document)) return { edits: [], result };
        return { edits: toEdits(spec.document, document), result, leases };
      };
      return applyChange(id, { folder: to }, restore, options);
    },
    probe: async () => ({ ok: true }),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}

/** Converts a plan that has no edits to a plan with an empty list of edits. */
function toPlan<R>(plan: ShelfPlan<R>): Plan<R> {
  return (spec, context) => ({ ...plan(spec, context), edits: [] });
}

function isSameText(a: SpecDocument, b: SpecDocument): boolean {
  return toText(a).equals(toText(b));
}

function toName({ key, owner }: IdempotencyKey): string {
  return JSON.stringify([owner, key]);
}

/** Returns the edits that replace all members of a document, in their order. */
function toEdits(before: SpecDocument, after: SpecDocument): readonly Edit[] {
  return [
    ...Object.keys(before).map((key): Edit => ({ op: "remove", path: [key] })),
    ...Object.entries(after).map(
      ([key, value]): Edit => ({ op: "set", path: [key], value: value as JsonValue }),
    ),
  ];
}

function toText(document: SpecDocument): Buffer {
  return Buffer.from(JSON.stringify(document, null, 2));
}
