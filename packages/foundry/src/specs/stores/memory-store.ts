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
  /** All revisions, the current one last. */
  readonly revisions: readonly (HistoryEntry & { readonly document: SpecDocument })[];
  readonly responses: ReadonlyMap<string, StoredResponse>;
}

/** Creates a store in memory: the reference implementation of a store. */
export function createMemoryStore(now: () => string = () => new Date().toISOString()): SpecStore {
  const specs = new Map<string, StoredSpec>();
  /** The responses to calls with an idempotency key that created specs. */
  const created = new Map<string, StoredResponse>();
  const listeners = new Set<(id: string) => void>();

  function find(id: string): StoredSpec {
    const stored = specs.get(id);
    if (stored === undefined) throw specNotFound(id);
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
      model: new SpecModel(document),
      bytes: text.byteLength,
      path: toSpecPath(folder, id),
    };
    const revisions = [
      ...(before?.revisions ?? []),
      { revision, at: now(), author, action, about: [], document },
    ];
    return {
      marks: {},
      leases: new Map(),
      fence: 0,
      responses: new Map(),
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
    to: SpecFolder | undefined,
    plan: Plan<R>,
    options: ChangeOptions,
  ): ChangeResult<R> {
    const stored = find(id);
    const { snapshot, marks, leases, fence } = stored;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = options;
    const time = now();
    const replayed = key && replayResponse<R>(key, stored.responses.get(toName(key)), time);
    if (replayed !== undefined) return { ...replayed, snapshot, isChanged: false, isRepeated: true };
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
    const isChanged = edits.length > 0 || folder !== snapshot.folder;
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
    });
    if (isChanged || change.leases !== undefined) notify(id);
    return { result, warnings, snapshot: after.snapshot, isChanged };
  }

  return {
    async list() {
      return { specs: [...specs.values()].map(({ snapshot }) => toSummary(snapshot)), problems: [] };
    },
    read: async (id) => find(id).snapshot,
    readText: async (id) => toText(find(id).snapshot.model.document),
    change: async (id, plan, options = {}) => applyChange(id, undefined, plan, options),
    move: async (id, to, plan, options = {}) => applyChange(id, to, plan, options),
    async create(id, document, folder, options = {}) {
      if (!isSpecId(id)) throw invalidSpecId(id);
      const { key } = options;
      const replayed = key && replayResponse<string>(key, created.get(toName(key)), now());
      if (replayed !== undefined && specs.has(replayed.result)) return find(replayed.result).snapshot;
      const known = specs.get(id);
      if (known !== undefined) throw specExists(id, known.snapshot.folder);
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
    async rollBack(id, revision, { check, ...options } = {}): Promise<ChangeResult<RollbackResult>> {
      const document = documentAt(id, revision);
      // Rolling back replaces the whole document.
      const restore: Plan<RollbackResult> = (spec, context) => {
        const result = { from_revision: find(id).snapshot.revision, to_revision: revision };
        if (isSameText(document, spec.document)) return { edits: [], result };
        const leases = check?.(spec, new SpecModel(document), context);
        return { edits: toEdits(spec.document, document), result, leases };
      };
      return applyChange(id, undefined, restore, options);
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

function isSameText(a: SpecDocument, b: SpecDocument): boolean {
  return toText(a).equals(toText(b));
}

function toName({ key, owner }: IdempotencyKey): string {
  return JSON.stringify([owner, key]);
}

/** The edits that replace all members of a document, in order. */
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
