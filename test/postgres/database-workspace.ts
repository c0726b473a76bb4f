import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openPostgres } from "#built/foundry/app/open-postgres.js";
import { callCli, type HttpServer, openHttpServer } from "../specs/programs.ts";
import { createWorkspace } from "../specs/workspace.ts";

type Store = Awaited<ReturnType<typeof openPostgres>>["store"];

/** A workspace in a database, and a folder whose settings select it. */
export interface DatabaseWorkspace {
  /** A folder whose user settings name the database, so that programs started in it use the database. */
  readonly folder: string;
  /** The store, for direct access. */
  readonly store: Store;
  /** Creates an active spec. */
  add(spec: object & { readonly spec_id: string }): Promise<void>;
  /** Starts servers, which are closed together with the workspace. */
  openServers(count: number): Promise<readonly HttpServer[]>;
  /** Runs a command in the folder. */
  cli(...argv: readonly string[]): ReturnType<typeof callCli>;
  close(): Promise<void>;
}

/** Opens a workspace in a database. */
export async function openDatabaseWorkspace(
  url: string,
  { workspace = "default", history = 50 }: { readonly workspace?: string; readonly history?: number } = {},
): Promise<DatabaseWorkspace> {
  const { folder, remove } = await createWorkspace();
  const settings = join(folder, ".config", "foundry");
  await mkdir(settings, { recursive: true });
  const lines = Object.entries({ store: url, workspace, history }).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}\n`,
  );
  await writeFile(join(settings, "foundry.toml"), lines.join(""));
  const { store, close } = await openPostgres({ url, workspace, keepRevisions: history, poolSize: 2 });
  const servers: HttpServer[] = [];
  return {
    folder,
    store,
    add: async (spec) => void (await store.create(spec.spec_id, spec, "active")),
    async openServers(count) {
      const open = async () => void servers.push(await openHttpServer(folder));
      await Promise.all(Array.from({ length: count }, open));
      return servers;
    },
    cli: (...argv) => callCli(argv, { cwd: folder }),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await close();
      await remove();
    },
  };
}

/** Returns the element for a turn, so that all elements are used in turn. */
export function turnOf<T>(all: readonly T[], turn: number): T {
  return all[turn % all.length] as T;
}
