import { callTool } from "../api/call-tool.ts";
import { type CallError, toRecord } from "../api/envelope.ts";
import { followChanges } from "./connection.ts";
import { createStore } from "./store.ts";

/** A spec as lists show it. */
export interface SpecRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly progress: { readonly completed: number; readonly total: number; readonly percentage: number };
  readonly last_updated?: string;
  readonly revision: string;
  readonly priority?: string;
  readonly owner?: string;
  readonly labels?: readonly string[];
  readonly deleted_at?: string;
  readonly deleted_by?: string;
}

/** The list of specs, as it was read last. */
export interface SpecList {
  readonly state: "loading" | "ready";
  readonly specs: readonly SpecRow[];
  /** The server's messages about files that cannot be read. */
  readonly warnings: readonly string[];
  readonly error?: CallError | undefined;
}

/** The specs of the workspace. */
export const specList = createStore<SpecList>({ state: "loading", specs: [], warnings: [] });

/** The trash, which is read when it is shown. */
export const trashList = createStore<readonly SpecRow[] | undefined>(undefined);

const pageSize = 1_000;
/** Many changes may arrive at once, for example after a checkout. They are read together. */
const gatherMs = 150;

let isReading = false;
let isStale = false;
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Reads the list. Calls while the list is being read start only one more read. */
export async function readSpecList(): Promise<void> {
  if (isReading) {
    isStale = true;
    return;
  }
  isReading = true;
  try {
    do {
      isStale = false;
      const { rows, warnings, error } = await readAll({ action: "list" });
      specList.update((before) =>
        error === undefined
          ? { state: "ready", specs: rows, warnings }
          : { ...before, state: before.state, error },
      );
    } while (isStale);
  } finally {
    isReading = false;
  }
}

/** Reads the trash. */
export async function readTrash(): Promise<void> {
  const { rows, error } = await readAll({ action: "list", trash: true });
  if (error === undefined) trashList.set(rows);
}

followChanges({
  onChange() {
    if (gathering !== undefined) return;
    gathering = setTimeout(() => {
      gathering = undefined;
      void readSpecList();
      if (trashList.get() !== undefined) void readTrash();
    }, gatherMs);
  },
  onGap: () => void readSpecList(),
});

async function readAll(args: Readonly<Record<string, unknown>>) {
  const rows: SpecRow[] = [];
  const warnings: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const answer = await callTool<{ specs: readonly SpecRow[] }>("spec", {
      ...args,
      limit: pageSize,
      max_tokens: 0,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!answer.ok) return { rows, warnings, error: answer.error };
    rows.push(...answer.data.specs);
    warnings.push(...answer.warnings);
    const next = toRecord(toRecord(toRecord(answer.raw)["meta"])["pagination"])["cursor"];
    if (typeof next !== "string") return { rows, warnings, error: undefined };
    cursor = next;
  }
}
