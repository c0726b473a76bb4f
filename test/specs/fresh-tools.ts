import type { Context, Tool } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { createTools } from "#built/foundry/app/create-tools.js";
import { toolNames } from "#built/foundry/config/settings.js";
import { createMemoryStore } from "#built/foundry/specs/stores/memory-store.js";
import type { SpecStore } from "#built/foundry/specs/stores/spec-store.js";
import { specOf } from "./workspace.ts";

type Action = Tool["actions"] extends ReadonlyMap<string, infer A> ? A : never;
type Store = SpecStore;

/** Returns a spec with an example of everything that actions process. */
function richSpec(id: string) {
  const blockedBy = { "task-1-2": ["task-1-1"] };
  const completed = ["task-2-1", "task-2-5"];
  const spec = specOf(id, { phases: 2, tasks: 5, blockedBy, completed });
  const nodes = spec.hierarchy as Record<string, Record<string, unknown>>;
  const blocked = {
    blocker_type: "decision",
    blocker_description: "Undecided",
    blocked_at: "2026-01-03T00:00:00Z",
  };
  nodes["task-1-3"] = {
    ...nodes["task-1-3"],
    status: "blocked",
    metadata: { ...blocked, description: "Stuck" },
  };
  nodes["task-2-2"] = { ...nodes["task-2-2"], children: ["task-2-2-1"] };
  nodes["task-2-2-1"] = { ...nodes["task-2-3"], type: "subtask", title: "A part of it", parent: "task-2-2" };
  const phase = nodes["phase-2"] as { children: string[] };
  nodes["phase-2"] = { ...phase, children: [...phase.children, "verify-2-1"] };
  nodes["verify-2-1"] = {
    ...nodes["task-2-3"],
    type: "verify",
    title: "Look at it",
    metadata: { verification_type: "manual" },
  };
  const review = (reviewed_at: string) => ({
    reviewed_at,
    verdict: "commented",
    summary: "Seen",
    findings: [],
    work_hash: "0123456789ab",
    author: "someone",
  });
  nodes["task-1-4"] = { ...nodes["task-1-4"], metadata: { reviews: [review("2026-01-06T00:00:00Z")] } };
  const entry = (title: string, more: object) => ({
    timestamp: "2026-01-04T00:00:00Z",
    entry_type: "note",
    title,
    content: `All about ${title}`,
    author: "someone",
    metadata: {},
    ...more,
  });
  const journal = [
    entry("first", {}),
    entry("second", { task_id: "task-1-1" }),
    entry("third", { entry_type: "decision" }),
  ];
  return {
    ...spec,
    metadata: { ...spec.metadata, reviews: [review("2026-01-05T00:00:00Z")] },
    journal,
  };
}

/** Returns a spec with faults that can be fixed. */
function faultySpec(id: string) {
  const spec = specOf(id);
  const nodes = spec.hierarchy as Record<string, Record<string, unknown>>;
  // These are two equal diagnostics, which validate reports in one row.
  for (const task of ["task-1-1", "task-1-2"]) nodes[task] = { ...nodes[task], title: "" };
  nodes["task-1-1"] = { ...nodes["task-1-1"], status: "done" };
  nodes["phase-1"] = { ...nodes["phase-1"], total_tasks: 99 };
  return spec;
}

/** The idempotency key of earlier calls, the token of every lease, and the name of every caller. */
export const seeds = { key: "used", token: "1-held", client: "someone" };

const someoneElse = { key: seeds.key, owner: "local", fingerprint: "of another call" };

/**
 * Adds a history to specs. There are revisions, an idempotency key was used, and every node of two specs is claimed.
 */
export async function seedStore<S extends Store>(store: S): Promise<S> {
  await store.create("one", richSpec("one"), "active");
  await store.create("two", specOf("two"), "pending", { key: someoneElse });
  await store.create("faulty", faultySpec("faulty"), "active");
  await store.create("held", richSpec("held"), "active");
  await store.create("stuck", faultySpec("stuck"), "active");
  for (const id of ["held", "stuck"]) await store.change(id, holdAll);
  await store.change("held", () => ({
    edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: "Held" }],
    result: {},
  }));
  for (const id of ["one", "two", "faulty"]) await store.change(id, nothing, { key: someoneElse });
  for (const complexity of ["medium", "high"])
    await store.change("one", () => ({
      edits: [{ op: "set", path: ["metadata", "complexity"], value: complexity }],
      result: {},
    }));
  // The loop adds changes by the callers themselves, which the callers may undo, and a spec in the trash.
  for (const [id, author] of Object.entries({ mine: "in-process", ours: seeds.client, kept: seeds.client })) {
    await store.create(id, specOf(id), "archived");
    const path = ["hierarchy", "task-1-1", "title"];
    await store.change(id, () => ({ edits: [{ op: "set", path, value: "Mine" }], result: {} }), { author });
    await store.change(id, id === "kept" ? holdAll : nothing, { key: someoneElse });
  }
  await store.create("gone", specOf("gone"), "archived");
  await store.change("gone", nothing, { key: someoneElse });
  await store.remove("gone", () => ({ result: {} }));
  return store;
}

type Plan = Parameters<Store["change"]>[1];

const nothing: Plan = () => ({ edits: [], result: {} });
const holdAll: Plan = (spec, { now: since }) => {
  const until = new Date(Date.parse(since) + 60_000).toISOString();
  const leases = spec.ids.map((id) => [id, { task_id: id, token: seeds.token, holder: "bob", since, until }]);
  return { edits: [], result: {}, leases: Object.fromEntries(leases) };
};

/** The names of all tools except `research`, which does not work on specs. */
export const specToolNames = toolNames.filter((name) => name !== "research");

/** A replacement for research, which is not tested here. */
export const noResearch = async () => {
  throw new Error("Nothing is researched here.");
};

/** A replacement for the folders of reviews, which read no files here. */
export const noFolder = { folder: async () => undefined, specsFolder: async () => undefined };

const seededStore = () => seedStore(createMemoryStore());

/**
 * Creates the tools of specs. Every call works on new copies of the specs, so that no call sees the effect of another
 * call, and two surfaces can be compared. The answer of a change lists in `kept` every spec that the call changed.
 */
export function createFreshTools(archive: ContentArchive): readonly Tool[] {
  let store: Promise<Store> | undefined;
  const tools = createTools(
    {
      store() {
        store ??= seededStore();
        return store;
      },
    },
    specToolNames,
    {
      running: { programs: async () => ["node"], folder: async () => ".", outputs: async () => archive },
      reviewing: noFolder,
      openResearch: noResearch,
    },
  );
  const fresh = (action: Action): Action => ({
    ...action,
    run: async (input: never, context: Context) => {
      store = undefined;
      const result = (await action.run(input, anonymous(context) as never)) as object;
      return settled(action.readOnly === true ? result : { ...result, kept: await keptIn(store) });
    },
  });
  return tools.map((tool) => ({
    ...tool,
    actions: new Map([...tool.actions].map(([name, action]) => [name, fresh(action)])),
  }));
}

/** Returns the current specs of a store by path. */
async function describeSpecs(store: Store): Promise<Map<string, object>> {
  const { specs } = await store.list();
  const entries = specs.map(async ({ id, path }) => {
    const { model, revision } = await store.read(id);
    const leases = Object.fromEntries(await store.leases(id));
    return [path, { revision, document: model.document, leases }] as const;
  });
  return new Map(await Promise.all(entries));
}

/**
 * The seeded specs as JSON, by path. They contain the time of their creation, so they are created again when the clock
 * changes.
 */
let seeded: { readonly at: number; readonly specs: Promise<Map<string, string>> } | undefined;
function seededSpecs(): Promise<Map<string, string>> {
  const at = Date.now();
  if (seeded?.at !== at) {
    const specs = seededStore()
      .then(describeSpecs)
      .then((found) => new Map([...found].map(([path, spec]) => [path, JSON.stringify(spec)])));
    seeded = { at, specs };
  }
  return seeded.specs;
}

/** Returns the specs that a call changed. Returns none if the call did not open the store. */
async function keptIn(opened: Promise<Store> | undefined): Promise<object> {
  if (opened === undefined) return {};
  const [before, after] = await Promise.all([seededSpecs(), describeSpecs(await opened)]);
  return Object.fromEntries([...after].filter(([path, spec]) => before.get(path) !== JSON.stringify(spec)));
}

/**
 * Returns the answer without the parts that differ in every call. These parts are the rest of a token after its
 * number, the duration of a program, and the hash of a spec that contains this duration.
 */
export function settled(answer: object): object {
  const hasRun = JSON.stringify(answer).includes('"duration_ms"');
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === "duration_ms") return 0;
    const isToken = (key === "claim_token" || key === "token") && value !== seeds.token;
    return isToken || (key === "revision" && hasRun) ? String(value).replace(/-.*/, "-new") : value;
  });
  return JSON.parse(text) as object;
}

/** Replaces the name of the calling program, which journals contain and which differs between surfaces. */
function anonymous(context: Context): Context {
  return new Proxy(context, {
    get(target, key) {
      if (key === "client") return { name: seeds.client };
      // On the command line, the caller is a person, who has a name.
      if (key === "surface") return "in-process";
      if (key === "principal") return "local";
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
