import type { Context, Tool } from "@foundry-mcp/toolkit";
import { createMemoryStore, createSpecTools } from "./built.ts";
import { specOf } from "./workspace.ts";

type Action = Tool["actions"] extends ReadonlyMap<string, infer A> ? A : never;
type Store = ReturnType<typeof createMemoryStore>;

/** A spec with something of everything that actions deal with. */
function richSpec(id: string) {
  const blockedBy = { "task-1-2": ["task-1-1"] };
  const spec = specOf(id, { phases: 2, tasks: 4, blockedBy, completed: ["task-2-1"] });
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
  return { ...spec, journal };
}

/** A spec with faults that can be mended. */
function faultySpec(id: string) {
  const spec = specOf(id);
  const nodes = spec.hierarchy as Record<string, Record<string, unknown>>;
  nodes["task-1-1"] = { ...nodes["task-1-1"], status: "done" };
  nodes["phase-1"] = { ...nodes["phase-1"], total_tasks: 99 };
  return spec;
}

async function seededStore(): Promise<Store> {
  const store = createMemoryStore();
  await store.create("one", richSpec("one"), "active");
  await store.create("two", specOf("two"), "pending");
  await store.create("faulty", faultySpec("faulty"), "active");
  return store;
}

/**
 * The tools of specs, on specs that are new with every call: no call sees what another did, so that two
 * surfaces can be compared. What changes something tells in `kept` all that there is afterwards.
 */
export function createFreshTools(): readonly Tool[] {
  let store: Promise<Store> | undefined;
  const tools = createSpecTools(
    {
      store() {
        store ??= seededStore();
        return store;
      },
    },
    "all",
    { programs: async () => [], specsFolder: async () => "specs" },
  );
  const fresh = (action: Action): Action => ({
    ...action,
    run: async (input: never, context: Context) => {
      store = undefined;
      const result = (await action.run(input, anonymous(context) as never)) as object;
      return action.readOnly === true ? result : { ...result, kept: await keptIn(store) };
    },
  });
  return tools.map((tool) => ({
    ...tool,
    actions: new Map([...tool.actions].map(([name, action]) => [name, fresh(action)])),
  }));
}

async function keptIn(opened: Promise<Store> | undefined): Promise<object> {
  const store = await (opened ?? seededStore());
  const { specs } = await store.list();
  const kept = await Promise.all(
    specs.map(async ({ id, path }) => [path, (await store.read(id)).model.document]),
  );
  return Object.fromEntries(kept);
}

/** Journals name the program that called, which is another one on every surface. */
function anonymous(context: Context): Context {
  return new Proxy(context, {
    get(target, key) {
      if (key === "client") return { name: "someone" };
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
