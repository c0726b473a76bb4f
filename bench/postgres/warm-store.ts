import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServerRegistry } from "#built/foundry/app/create-server-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import type { Arguments, Envelope } from "../specs/warm-server.ts";

/** The place where specs are stored: a folder or a database. */
export interface StorePlace {
  readonly name: "file" | "PostgreSQL";
  /** The working folder of a server for this place. A store of files is in its subfolder `specs`. */
  readonly folder: string;
  /** The settings of a server for this place, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server in this process for one place. */
export interface WarmStore {
  readonly place: StorePlace;
  /** Adds a spec to the active specs. */
  add(id: string, spec: object): Promise<void>;
  /** Calls a tool. Throws if the call fails, so that failures are not measured. */
  call(tool: string, args: Arguments): Promise<Envelope>;
  /** Drops all cached specs, as if the server had just started. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a place in a database, or a folder of files if no database is passed. */
export async function createPlace(database?: string): Promise<StorePlace & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-postgres-"));
  const where =
    database === undefined ? { FOUNDRY_SPECS_DIR: join(folder, "specs") } : { FOUNDRY_STORE: database };
  return {
    name: database === undefined ? "file" : "PostgreSQL",
    folder,
    // The environment variables and the settings file of the person who runs the bench must not apply.
    env: { XDG_CONFIG_HOME: folder, ...where },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Opens the functions of a server for a place, with their defaults. */
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
    // Closing a store drops its cache, and the store can still be read.
    forget: async () => (await workspace.store()).close(),
    close: () => workspace.close(),
  };
}
