import { createHash } from "node:crypto";
import type { Change, Plan } from "../specs/change.ts";
import { applyEdits } from "../specs/edit.ts";
import { rootId, type SpecDocument, type SpecFolder } from "../specs/spec-document.ts";
import { SpecModel } from "../specs/spec-model.ts";
import { isSpecId } from "./spec-id.ts";
import type { Changed, ChangeOptions, SpecSnapshot, SpecStore } from "./spec-store.ts";
import { invalidSpecId, specExists, specNotFound, versionConflict } from "./store-failures.ts";

interface Kept {
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
  readonly marks: Readonly<Record<string, number>>;
}

/** Creates a store that forgets everything with its process: the readable truth of what a store does. */
export function createMemoryStore(now: () => string = () => new Date().toISOString()): SpecStore {
  const specs = new Map<string, Kept>();
  const listeners = new Set<(id: string) => void>();

  function find(id: string): Kept {
    const kept = specs.get(id);
    if (kept === undefined) throw specNotFound(id);
    return kept;
  }

  function keep(
    id: string,
    folder: SpecFolder,
    document: SpecDocument,
    before?: Kept,
    marks = before?.marks ?? {},
  ) {
    const counter = (before?.counter ?? 0) + 1;
    const text = JSON.stringify(document, null, 2);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
    const snapshot: SpecSnapshot = {
      id,
      folder,
      revision: `${counter}-${hash}`,
      model: new SpecModel(document),
      bytes: Buffer.byteLength(text),
      path: `${folder}/${id}.json`,
    };
    specs.set(id, { snapshot, counter, marks });
    for (const listener of listeners) listener(id);
    return snapshot;
  }

  function make<R>(
    id: string,
    to: SpecFolder | undefined,
    plan: Plan<R>,
    options: ChangeOptions,
  ): Changed<R> {
    const kept = find(id);
    const { snapshot, marks } = kept;
    const { ifRevision, author = "foundry-mcp", dryRun = false } = options;
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const change: Change<R> = plan(snapshot.model, { now: now(), author, folder: snapshot.folder, marks });
    const { result, warnings = [], edits } = change;
    const folder = to ?? snapshot.folder;
    if (dryRun || (edits.length === 0 && folder === snapshot.folder))
      return { result, warnings, snapshot, isChanged: false };
    const document = applyEdits(snapshot.model.document, edits);
    const after = keep(id, folder, document, kept, { ...marks, ...change.marks });
    return { result, warnings, snapshot: after, isChanged: true };
  }

  return {
    async list() {
      const summaries = [...specs.values()].map(({ snapshot: { id, folder, revision, path, model } }) => {
        const { last_updated: updated } = model.document;
        return {
          id,
          folder,
          revision,
          path,
          title: model.title,
          progress: model.tally(rootId),
          updated: typeof updated === "string" ? updated : undefined,
        };
      });
      return { specs: summaries, problems: [] };
    },
    read: async (id) => find(id).snapshot,
    readText: async (id) => Buffer.from(JSON.stringify(find(id).snapshot.model.document, null, 2)),
    change: async (id, plan, options = {}) => make(id, undefined, plan, options),
    move: async (id, to, plan, options = {}) => make(id, to, plan, options),
    async create(id, document, folder) {
      if (!isSpecId(id)) throw invalidSpecId(id);
      const known = specs.get(id);
      if (known !== undefined) throw specExists(id, known.snapshot.folder);
      return keep(id, folder, document);
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
