import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServerRegistry } from "#built/foundry/app/create-server-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import type { Arguments, Envelope } from "../specs/warm-server.ts";

/** Where specs are kept: in a folder, or in a database. */
export interface StorePlace {
  readonly name: "file" | "PostgreSQL";
  /** The folder of a server of it; in `specs` there it keeps files. */
  readonly folder: string;
  /** The settings of a server of it, by their variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server in this process over one place. */
export interface WarmStore {
  readonly place: StorePlace;
  /** Adds a spec, as one of the active ones. */
  add(id: string, spec: object): Promise<void>;
  /** Calls a tool; a failure throws, so that nobody measures how fast it is. */
  call(tool: string, args: Arguments): Promise<Envelope>;
  /** Drops what it knows of specs, as if it had just begun. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a place in a database, or with none a folder of files. */
export async function createPlace(database?: string): Promise<StorePlace & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-postgres-"));
  const where =
    database === undefined ? { FOUNDRY_SPECS_DIR: join(folder, "specs") } : { FOUNDRY_STORE: database };
  return {
    name: database === undefined ? "file" : "PostgreSQL",
    folder,
    // Nothing of whoever runs the bench: neither variables nor a file.
    env: { XDG_CONFIG_HOME: folder, ...where },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Opens what a server offers over a place, with its defaults. */
export async function openWarmStore(place: StorePlace): Promise<WarmStore> {
  const { folder, env } = place;
  const settings = await loadSettings({ env, cwd: folder });
  const workspace = openWorkspace(async () => settings, folder);
  const registry = await createServerRegistry(settings, workspace);
  const caller = { surface: "in-process", client: { name: "bench" } } as const;
  return {
    place,
    async add(id, spec) {
      const store = await workspace.store("write");
      await store.create(id, spec as Parameters<typeof store.create>[1], "active");
    },
    async call(tool, args) {
      const { envelope } = await registry.dispatch({ tool, args }, caller);
      if (!envelope.success) throw new Error(`A call failed: ${JSON.stringify(envelope).slice(0, 400)}`);
      return envelope as unknown as Envelope;
    },
    // A closed store forgets, and reads on.
    forget: async () => (await workspace.store()).close(),
    close: () => workspace.close(),
  };
}
