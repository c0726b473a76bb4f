import { validationError } from "@foundry-mcp/contract";
import type { LoadedSettings } from "../config/load-settings.ts";
import { isDatabaseUrl } from "../postgres/database-url.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import type { CopyableStore } from "../specs/stores/spec-parcel.ts";
import { requireSpecsFolder } from "./open-workspace.ts";
import type { StoreCommands } from "./store-tool.ts";
import { toDatabaseOptions } from "./workspace-location.ts";

/** A store for the time of a command. */
interface Opened {
  readonly store: CopyableStore;
  close(): Promise<void>;
}

/** Creates the commands about stores, for whoever types in a folder. */
export function createStoreCommands(load: () => Promise<LoadedSettings>, cwd: string): StoreCommands {
  const open = async (place: string, name: "from" | "to"): Promise<Opened> => {
    const loaded = await load();
    if (place === "file") {
      const store = openFileStore({
        root: requireSpecsFolder(loaded, cwd),
        keepRevisions: loaded.values.history,
      });
      return { store, close: () => store.close() };
    }
    if (place !== "postgres" && !isDatabaseUrl(place)) throw unknownPlace(name);
    const { openPostgres } = await import("./open-postgres.ts");
    const options = toDatabaseOptions(withStore(loaded, place), false);
    // What there is nothing to take from is a mistake, and not a new workspace.
    return openPostgres({ ...options, mustExist: name === "from" });
  };
  const hasSchema = async (place: string): Promise<boolean> => {
    if (place !== "postgres" && !isDatabaseUrl(place)) throw unknownPlace("to");
    const { openDatabase, schemaStep } = await import("./open-postgres.ts");
    const database = await openDatabase(toDatabaseOptions(withStore(await load(), place), true));
    try {
      return (await schemaStep(database)) > 0;
    } finally {
      await database.close();
    }
  };
  return {
    async copy(from, to, options) {
      const { copySpecs } = await import("../specs/stores/copy-specs.ts");
      const source = await open(from, "from");
      try {
        // What only looks makes no tables.
        if (options.dryRun && to !== "file" && !(await hasSchema(to)))
          return await copySpecs(source.store, { ...createMemoryStore(), putIn: async () => {} }, options);
        const target = await open(to, "to");
        try {
          return await copySpecs(source.store, target.store, options);
        } finally {
          await target.close();
        }
      } finally {
        await source.close();
      }
    },
    async migrate(isDry) {
      const loaded = await load();
      if (loaded.values.store === "file" && loaded.origins.store !== "default") throw noSchema();
      const options = toDatabaseOptions(withStore(loaded, "postgres"), true);
      const { openDatabase, migrate, migrations, requireKnown, schemaStep, toScript } = await import(
        "./open-postgres.ts"
      );
      const database = await openDatabase(options);
      try {
        if (isDry) {
          const schema = await schemaStep(database);
          requireKnown(database, schema);
          const steps = migrations
            .slice(schema)
            .map((step) => ({ number: step.number, name: step.name, sql: toScript(step) }));
          return { database: database.name, schema, newest: migrations.length, would_apply: steps };
        }
        const { from, to, applied } = await migrate(database);
        return { database: database.name, schema: to, schema_before: from, applied };
      } finally {
        await database.close();
      }
    },
  };
}

/** The settings as if they named this store, and whoever runs the command had said so. `postgres` is the one that they name. */
function withStore({ values, origins, files }: LoadedSettings, place: string): LoadedSettings {
  const store = place === "postgres" && isDatabaseUrl(values.store) ? values.store : place;
  return { values: { ...values, store }, origins: { ...origins, store: "the command" }, files };
}

function noSchema(): Error {
  return validationError(
    { field: "store", constraint: "enum", expected: ["postgres", "postgres://user@host/database"] },
    {
      message: "Cannot migrate: the store is file, and files have no schema",
      remediation: "Say --store postgres (at DATABASE_URL), or --store postgres://user@host/database.",
    },
  );
}

function unknownPlace(field: string): Error {
  // It may be an address that is written wrongly, with its password: it is not repeated.
  return validationError(
    { field, constraint: "enum", expected: ["file", "postgres", "postgres://user@host/database"] },
    {
      message: `Cannot copy: --${field} names no store`,
      remediation: `Say --${field} file, --${field} postgres (at DATABASE_URL), or --${field} postgres://user@host/database.`,
    },
  );
}
