import { validationError } from "@foundry-mcp/contract";
import type { LoadedSettings } from "../config/load-settings.ts";
import { openFileStore } from "../stores/file-store/file-store.ts";
import { createMemoryStore } from "../stores/memory-store.ts";
import type { CopyableStore } from "../stores/spec-parcel.ts";
import { isDatabaseUrl, withoutPassword } from "../text/database-url.ts";
import type { StoreCommands } from "../tools/store-tool.ts";
import { requireSpecsFolder } from "./open-workspace.ts";
import { toDatabaseOptions } from "./to-database-options.ts";

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
    if (place !== "postgres" && !isDatabaseUrl(place)) throw unknownPlace(name, place);
    const { openPostgres } = await import("../stores/postgres/open-postgres.ts");
    return openPostgres(toDatabaseOptions(withStore(loaded, place), false));
  };
  const hasSchema = async (place: string): Promise<boolean> => {
    if (place !== "postgres" && !isDatabaseUrl(place)) throw unknownPlace("to", place);
    const { openDatabase, schemaStep } = await import("../stores/postgres/open-postgres.ts");
    const database = await openDatabase(toDatabaseOptions(withStore(await load(), place), true));
    try {
      return (await schemaStep(database)) > 0;
    } finally {
      await database.close();
    }
  };
  return {
    async copy(from, to, options) {
      const { copySpecs } = await import("../stores/copy-specs.ts");
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
      const { store } = loaded.values;
      const options = toDatabaseOptions(store === "file" ? withStore(loaded, "postgres") : loaded, true);
      const { openDatabase, migrate, schemaStep, migrations } = await import(
        "../stores/postgres/open-postgres.ts"
      );
      const database = await openDatabase(options);
      try {
        if (isDry) {
          const schema = await schemaStep(database);
          const steps = migrations.slice(schema).map(({ number, name, sql }) => ({ number, name, sql }));
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

/** The settings as if they named this store, and whoever runs the command had said so. */
function withStore({ values, origins, files }: LoadedSettings, store: string): LoadedSettings {
  return { values: { ...values, store }, origins: { ...origins, store: "the command" }, files };
}

function unknownPlace(field: string, place: string): Error {
  const received = withoutPassword(place).slice(0, 100);
  return validationError(
    { field, constraint: "enum", expected: ["file", "postgres", "postgres://user@host/database"], received },
    {
      message: `Cannot copy: "${received}" is no store`,
      remediation: `Say --${field} file, --${field} postgres (at DATABASE_URL), or --${field} postgres://user@host/database.`,
    },
  );
}
