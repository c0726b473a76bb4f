import type { Writable } from "node:stream";
import { isContractError, type JsonObject } from "@foundry-mcp/contract";
import { rootId } from "../model/spec-document.ts";
import { progressOf } from "../model/spec-model.ts";
import type { SpecReader } from "../stores/spec-store.ts";
import type { SpecChange } from "./spec-changes.ts";
import { isLeaseActive, type WatchOptions } from "./watch-state.ts";
import { openChangedIds, readChangesSince, readLeasedTasks } from "./watch-store.ts";

/** The maximum number of changes in a line. */
const maxChanges = 100;

/**
 * Writes a line of JSON for each change until `count` lines are written, stdout is closed or the signal is
 * aborted.
 */
export async function runLines(options: WatchOptions): Promise<void> {
  const { store, specId, stdout, signal, now, count = Number.POSITIVE_INFINITY, onReady } = options;
  const ending = new AbortController();
  // The reader has closed the pipe. The listener is not removed, because the error of a failed write may come
  // late.
  stdout.on("error", () => ending.abort());
  const changes = openChangedIds(store, AbortSignal.any([signal, ending.signal]));
  try {
    const ids = specId === undefined ? (await store.list()).specs.map(({ id }) => id) : [specId];
    if (specId !== undefined) await store.read(specId);
    const written = new Map<string, string>();
    const revisions = new Map<string, unknown>();
    for (const id of ids) {
      const described = await describe(store, id, now());
      written.set(id, JSON.stringify(described));
      revisions.set(id, described["revision"]);
    }
    onReady?.();
    let lines = 0;
    while (lines < count) {
      const changed = await changes.next();
      if (changed.size === 0) return;
      for (const id of changed) {
        if ((specId !== undefined && id !== specId) || lines >= count) continue;
        const described = await describe(store, id, now());
        const text = JSON.stringify(described);
        if (written.get(id) === text) continue;
        written.set(id, text);
        const changes = await changesSince(store, id, revisions.get(id));
        revisions.set(id, described["revision"]);
        await write(stdout, `${toSafeJson({ ...described, ...changes, changed_at: now() })}\n`);
        lines++;
      }
    }
  } finally {
    changes.close();
  }
}

async function describe(store: SpecReader, id: string, now: string): Promise<JsonObject> {
  try {
    const { folder, revision, model } = await store.read(id);
    const held = (await readLeasedTasks(store, id)).filter((task) => isLeaseActive(task, now));
    return {
      spec_id: id,
      title: model.title || id,
      status: folder,
      revision,
      progress: { ...progressOf(model.tally(rootId)) },
      leases: held.map(({ task_id, holder, until }) => ({ task_id, holder, until })),
    };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { spec_id: id, error, ...(isContractError(thrown) ? { error_code: thrown.code } : {}) };
  }
}

/** Returns the changes of a spec since the previous line; empty if they are unknown. */
async function changesSince(
  store: SpecReader,
  id: string,
  revision: unknown,
): Promise<{ readonly changes?: JsonObject[] }> {
  const changes = typeof revision === "string" ? await readChangesSince(store, id, revision) : [];
  return changes.length === 0 ? {} : { changes: changes.slice(0, maxChanges).map(toJsonChange) };
}

function toJsonChange({ verb, task_id, title }: SpecChange): JsonObject {
  return {
    verb,
    ...(task_id === undefined ? {} : { task_id }),
    ...(title === undefined ? {} : { title }),
  };
}

/** Escapes control characters that JSON allows, because the line may be shown on a terminal. */
function toSafeJson(value: JsonObject): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function write(stdout: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stdout.write(text, () => resolve());
  });
}
