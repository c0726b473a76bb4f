import { rootId } from "../model/spec-document.ts";
import type { SpecReader, SpecSummary } from "../stores/spec-store.ts";
import { leaseChanges, listChanges } from "./changes-between.ts";
import type { SpecChange } from "./spec-changes.ts";
import type { WatchEvent, WatchState } from "./watch-state.ts";
import { readAllLeasedTasks, readChangesSince, readLeasedTasks } from "./watch-store.ts";

/** The state of a live view, which is updated when the store changes. */
export interface Board {
  readonly state: WatchState;
  /**
   * Reads changed specs again. Returns false if no changed spec is shown. A failure is added to the problems.
   */
  refresh(ids: ReadonlySet<string>): Promise<boolean>;
}

const maxEvents = 200;

/** Opens a board of all specs, or of one spec. Throws if that one spec cannot be read. */
export async function openBoard(
  store: SpecReader,
  specId: string | undefined,
  now: () => string,
): Promise<Board> {
  const read = specId === undefined ? () => readList(store) : () => readSpec(store, specId);
  const first = await read();
  let state: WatchState = { ...first, events: [], held: await readAllLeasedTasks(store, first.specs) };
  return {
    get state() {
      return state;
    },
    async refresh(ids) {
      if (specId !== undefined && !ids.has(specId)) return false;
      const at = now();
      const after = await read().catch((thrown: unknown) => ({ ...state, problems: [toReason(thrown)] }));
      const held = new Map(state.held);
      for (const { id } of after.specs) if (ids.has(id)) held.set(id, await readLeasedTasks(store, id));
      const changes = await readChanges(store, state.specs, after.specs, ids);
      const added = toEvents(state, { ...after, held }, changes, ids, at);
      const events = [...added, ...state.events].slice(0, maxEvents);
      state = { ...after, held, events };
      return true;
    },
  };
}

type Read = Pick<WatchState, "specs" | "spec" | "problems">;

async function readList(store: SpecReader): Promise<Read> {
  const { specs, problems } = await store.list();
  return {
    specs,
    problems: problems.map(({ path, message }) => (message.includes(path) ? message : `${path}: ${message}`)),
  };
}

async function readSpec(store: SpecReader, specId: string): Promise<Read> {
  const spec = await store.read(specId);
  const { id, folder, revision, path, model } = spec;
  const { title } = model;
  const summary = { id, folder, revision, path, title, progress: model.tally(rootId), updated: undefined };
  return { spec, specs: [summary], problems: [] };
}

/** Derives the changes of each changed spec that is in both lists. */
async function readChanges(
  store: SpecReader,
  before: readonly SpecSummary[],
  after: readonly SpecSummary[],
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly SpecChange[]>> {
  const changes = new Map<string, readonly SpecChange[]>();
  for (const { id, revision } of before) {
    const isChanged = ids.has(id) && after.some((spec) => spec.id === id && spec.revision !== revision);
    if (isChanged) changes.set(id, await readChangesSince(store, id, revision));
  }
  return changes;
}

/** Returns the events between two states. */
function toEvents(
  before: WatchState,
  after: Omit<WatchState, "events">,
  changes: ReadonlyMap<string, readonly SpecChange[]>,
  ids: ReadonlySet<string>,
  at: string,
): readonly WatchEvent[] {
  const find = (specs: WatchState["specs"], id: string) => specs.find((spec) => spec.id === id);
  return [...ids].flatMap((specId) => {
    const [was, is] = [isBroken(before, specId), isBroken(after, specId)];
    const listed =
      was === is
        ? listChanges(find(before.specs, specId), find(after.specs, specId), changes.get(specId))
        : [is ? "cannot be read" : "can be read again"];
    const messages = [
      ...leaseChanges(before.held.get(specId) ?? [], after.held.get(specId) ?? [], at),
      ...listed,
    ];
    return messages.map((text) => ({ at, specId, text }));
  });
}

/** Returns true if the file of a spec is malformed. The list of specs reports such a file by its path. */
function isBroken({ problems }: Pick<WatchState, "problems">, id: string): boolean {
  return problems.some((problem) => problem.includes(`/${id}.json`));
}

function toReason(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
