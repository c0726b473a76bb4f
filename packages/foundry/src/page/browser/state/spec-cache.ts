import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecChanges } from "../../../specs/model/diff/changes-since.ts";
import { SpecModel } from "../../../specs/model/spec-model.ts";
import { callTool } from "../api/call-tool.ts";
import { type CallError, toRecord, toText } from "../api/envelope.ts";
import { applyChanges } from "./apply-changes.ts";
import type { Claim, Claims } from "./claims.ts";
import { followChanges } from "./connection.ts";
import { createStore, type Store } from "./store.ts";

/** A spec as the page has read it. */
export interface LoadedSpec {
  readonly id: string;
  readonly revision: string;
  /** The folder that contains the spec, which is its status. */
  readonly folder: string;
  readonly model: SpecModel;
  readonly claims: Claims;
  /** The tasks that the last change affected; the views highlight these tasks for a moment. */
  readonly touched: ReadonlySet<string>;
}

/** The state of a spec in the page. */
export interface SpecState {
  readonly spec?: LoadedSpec | undefined;
  readonly error?: CallError | undefined;
  readonly isDeleted?: boolean | undefined;
}

interface Entry {
  readonly store: Store<SpecState>;
  reading: Promise<void> | undefined;
  isStale: boolean;
  lastUsed: number;
}

const entries = new Map<string, Entry>();
/** The number of specs that stay in memory after the person has left them. */
const maxKept = 4;
const none: ReadonlySet<string> = new Set();

/** Returns the state of a spec, and begins to read it if the page has not. */
export function specStore(id: string): Store<SpecState> {
  let entry = entries.get(id);
  if (entry === undefined) {
    entry = { store: createStore<SpecState>({}), reading: undefined, isStale: false, lastUsed: Date.now() };
    entries.set(id, entry);
    forgetOldest();
    void refreshSpec(id);
  }
  entry.lastUsed = Date.now();
  return entry.store;
}

/** Reads what changed in a spec. A call while the spec is being read starts one more read, and waits for it. */
export function refreshSpec(id: string): Promise<void> {
  const entry = entries.get(id);
  if (entry === undefined) return Promise.resolve();
  entry.isStale = true;
  entry.reading ??= readUntilFresh(id, entry).finally(() => {
    entry.reading = undefined;
  });
  return entry.reading;
}

followChanges({
  onChange({ specId, isDeleted }) {
    const entry = entries.get(specId);
    if (entry === undefined) return;
    if (isDeleted) entry.store.update((before) => ({ ...before, isDeleted: true }));
    else void refreshSpec(specId);
  },
  onGap() {
    for (const id of entries.keys()) void refreshSpec(id);
  },
});

async function readUntilFresh(id: string, entry: Entry): Promise<void> {
  while (entry.isStale) {
    entry.isStale = false;
    const known = entry.store.get().spec;
    const [read, claims] = await Promise.all([readSpec(id, known), readClaims(id)]);
    if ("error" in read) {
      const isDeleted = read.error.code === "SPEC_NOT_FOUND";
      entry.store.update((before) => ({ ...before, error: read.error, ...(isDeleted ? { isDeleted } : {}) }));
    } else if (read.spec !== known || !isSameClaims(read.spec.claims, claims))
      entry.store.set({ spec: { ...read.spec, claims: claims ?? read.spec.claims } });
    else if (entry.store.get().error !== undefined) entry.store.set({ spec: known });
  }
}

interface SpecAnswer {
  readonly revision: string;
  readonly unchanged?: boolean;
  readonly spec: UnknownRecord;
  readonly hierarchy?: UnknownRecord;
  readonly changes?: SpecChanges;
}

async function readSpec(
  id: string,
  known: LoadedSpec | undefined,
): Promise<{ readonly spec: LoadedSpec } | { readonly error: CallError }> {
  const args = { action: "get", spec_id: id, max_tokens: 0 };
  const since = known === undefined ? {} : { since: known.revision, changes_only: true };
  const answer = await callTool<SpecAnswer>("spec", { ...args, ...since });
  if (!answer.ok) return { error: answer.error };
  const { revision, spec = {}, hierarchy, changes } = answer.data;
  if (known !== undefined && revision === known.revision) return { spec: known };
  const folder = toText(spec["status"]) || known?.folder || "";
  if (known !== undefined && changes !== undefined) {
    const model = applyChanges(known.model, changes);
    return { spec: { ...known, revision, folder, model, touched: new Set(Object.keys(changes.nodes)) } };
  }
  const model = new SpecModel({ ...spec, spec_id: id, hierarchy: toRecord(hierarchy) } as never);
  return { spec: { id, revision, folder, model, claims: known?.claims ?? new Map(), touched: none } };
}

async function readClaims(id: string): Promise<Claims | undefined> {
  const answer = await callTool<{ claims: readonly Claim[] }>("task", {
    action: "claims",
    spec_id: id,
    limit: 500,
  });
  return answer.ok ? new Map(answer.data.claims.map((claim) => [claim.task_id, claim])) : undefined;
}

function isSameClaims(before: Claims, after: Claims | undefined): boolean {
  if (after === undefined) return true;
  return JSON.stringify([...before]) === JSON.stringify([...after]);
}

function forgetOldest(): void {
  const idle = [...entries].toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed);
  for (const [id] of idle.slice(0, Math.max(0, idle.length - maxKept))) entries.delete(id);
}
