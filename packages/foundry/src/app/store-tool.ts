import { ContractError, validationError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { LoadedSettings } from "../config/load-settings.ts";
import { isDatabaseUrl } from "../postgres/database-url.ts";
import { isNotSetUp } from "../postgres/not-set-up.ts";
import { programName } from "../program/program-name.ts";
import type { CopyOptions, CopyResult, CopyTarget } from "../specs/stores/copy-specs.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import { createSpecFiles } from "../specs/stores/file-store/spec-files.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import type { CopyableStore } from "../specs/stores/spec-export.ts";
import { tellDryRuns } from "../specs/tools/tell-dry-runs.ts";
import type { StorePurpose } from "../specs/tools/workspace.ts";
import { type DatabaseChoice, requireSpecsRoot, toDatabaseOptions } from "./workspace-location.ts";
import type { WorkspaceDeps } from "./workspace-tool.ts";
import { copyView } from "./workspace-views.ts";

type StoreDeps = Pick<WorkspaceDeps, "load" | "cwd">;

/**
 * Creates the commands for stores. Only the command line has these commands, because they can access everything that
 * their user can access.
 */
export function createStoreTool(deps: StoreDeps): Tool {
  return tellDryRuns(
    defineTool({
      name: "store",
      version: "1.0.0",
      description: "Copy specs from one store to another, and migrate the schema of a database",
      actions: {
        copy: action({
          examples: [
            {
              title: "Copy all specs to the database of DATABASE_URL",
              args: { from: "file", to: "postgres" },
            },
          ],
          description:
            "Copy specs with their history and leases to another store. A repeated copy copies only new data",
          input: () =>
            z.object({
              from: z
                .string()
                .describe("Store to copy from: file, postgres, or postgres://user@host/database"),
              to: z.string().describe("Store to copy to: file, postgres, or postgres://user@host/database"),
              spec: z.array(z.string()).optional().describe("Copy only this spec"),
              overwrite: z
                .boolean()
                .optional()
                .describe(
                  "Replace specs of the target store that differ from the source; requires --confirm",
                ),
              confirm: z
                .literal(true)
                .optional()
                .describe("Confirms that --overwrite may replace specs (required with --overwrite)"),
              dry_run: z
                .boolean()
                .optional()
                .describe("Show which specs would be copied, without copying them"),
            }),
          output: () =>
            payload({ copied: z.int(), kept: z.int(), failed: z.int(), specs: z.array(z.looseObject({})) }),
          idempotent: true,
          destructive: true,
          timeoutMs: 24 * 3_600_000,
          cli: { command: "store copy", show: viewOf(() => copyView) },
          run: async ({ from, to, spec: ids, overwrite, confirm, dry_run: dryRun }, context) => {
            if (overwrite && !confirm && !dryRun) throw unconfirmed();
            const { signal } = context;
            const onProgress = (done: number, total: number, id: string) => context.progress(done, total, id);
            const specs = await copyBetween(deps, from, to, { ids, overwrite, dryRun, signal, onProgress });
            return toAnswer(specs, dryRun === true, context);
          },
        }),
        migrate: action({
          examples: [{ title: "Set the database of DATABASE_URL up", args: {} }],
          description:
            "Migrate the schema of the database to the newest version. Servers also do this when they start",
          input: () =>
            z.object({
              dry_run: z.boolean().optional().describe("Print the SQL statements without running them"),
            }),
          output: () => payload({ schema: z.int() }),
          idempotent: true,
          timeoutMs: 3_600_000,
          cli: { command: "store migrate" },
          run: ({ dry_run = false }) => migrateDatabase(deps, dry_run),
        }),
      },
    }),
  );
}

async function copyBetween(
  deps: StoreDeps,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<readonly CopyResult[]> {
  const { copySpecs } = await import("../specs/stores/copy-specs.ts");
  const source = await openStore(deps, from, "from", "read");
  try {
    const target = options.dryRun ? await openDryTarget(deps, to) : await openStore(deps, to, "to", "write");
    try {
      return await copySpecs(source.store, target.store, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

interface OpenedStore<S extends CopyTarget = CopyableStore> {
  readonly store: S;
  close(): Promise<void>;
}

async function openStore(
  { load, cwd }: StoreDeps,
  store: string,
  field: "from" | "to",
  purpose: StorePurpose,
): Promise<OpenedStore> {
  const loaded = await load();
  if (store === "file") {
    const { root, boundary } = requireSpecsRoot(loaded, cwd);
    const fs = createSpecFiles(root, { boundary });
    const fileStore = openFileStore({ root, fs, keepRevisions: loaded.values.history });
    return { store: fileStore, close: () => fileStore.close() };
  }
  if (store !== "postgres" && !isDatabaseUrl(store)) throw unknownStore(field);
  const { openPostgres } = await import("./open-postgres.ts");
  return openPostgres({ ...toDatabaseOptions(loaded, toChoice(loaded, store, `--${field}`)), purpose });
}

/**
 * Opens the target of a dry run without creating anything. If the database is not set up, an empty store is used in
 * its place.
 */
async function openDryTarget(deps: StoreDeps, to: string): Promise<OpenedStore<CopyTarget>> {
  try {
    return await openStore(deps, to, "to", "read");
  } catch (thrown) {
    if (to === "file" || !isNotSetUp(thrown)) throw thrown;
    return { store: { ...createMemoryStore(), importSpec: async () => {} }, close: async () => {} };
  }
}

async function migrateDatabase({ load }: StoreDeps, isDryRun: boolean): Promise<object> {
  const loaded = await load();
  if (loaded.values.store === "file") throw noSchema();
  const options = toDatabaseOptions(loaded, { isOneShot: true });
  const {
    openDatabase,
    addWorkspace,
    migrate,
    migrations,
    requireKnownSchema,
    requireUtf8,
    readSchemaVersion,
    toScript,
  } = await import("./open-postgres.ts");
  const database = await openDatabase(options);
  try {
    if (isDryRun) {
      const schema = await readSchemaVersion(database);
      requireKnownSchema(database, schema);
      const steps = migrations
        .slice(schema)
        .map((step) => ({ number: step.number, name: step.name, sql: toScript(step) }));
      return { database: database.name, schema, newest: migrations.length, would_apply: steps };
    }
    await requireUtf8(database);
    const { from, to, applied } = await migrate(database);
    await addWorkspace(database, options.workspace);
    return { database: database.name, schema: to, schema_before: from, applied };
  } finally {
    await database.close();
  }
}

/**
 * Returns the database that an option of the command names. The value `postgres` selects the database of the
 * settings, if there is one.
 */
function toChoice({ values }: LoadedSettings, named: string, option: string): DatabaseChoice {
  return named === "postgres" && isDatabaseUrl(values.store) ? {} : { store: named, origin: option };
}

function toAnswer(specs: readonly CopyResult[], isDryRun: boolean, context: Context): object {
  const count = (outcome: CopyResult["outcome"]) => specs.filter((each) => each.outcome === outcome).length;
  const failed = count("failed");
  const answer = {
    ...{ copied: count("copied"), kept: count("kept"), failed },
    ...(isDryRun ? { would_copy: count("would_copy"), would_replace: count("would_replace") } : {}),
    specs,
  };
  const [first] = specs.filter((each) => each.outcome === "failed");
  if (first !== undefined && failed === specs.length) {
    const message = `None of ${specs.length} specs ${isDryRun ? "would be" : "was"} copied: ${first.error}`;
    const { error_code: errorCode, remediation } = first;
    throw new ContractError(message, { errorCode, remediation, data: answer });
  }
  if (failed > 0) context.warn("PARTIAL_FAILURE", `${failed} of ${specs.length} specs were not copied`);
  return answer;
}

function unconfirmed(): Error {
  return validationError(
    { field: "confirm", constraint: "required" },
    {
      message: "Cannot overwrite specs: confirm is missing",
      remediation:
        "See what would be replaced with {--dry_run=true}, then confirm with {--confirm=true} that the copy replaces specs.",
    },
  );
}

function noSchema(): Error {
  return validationError(
    { field: "store", constraint: "enum", expected: ["postgres", "postgres://user@host/database"] },
    {
      message: "Cannot migrate: the store is file, and files have no schema",
      remediation: `Use ${programName} store migrate --store postgres (at DATABASE_URL), or --store postgres://user@host/database.`,
    },
  );
}

function unknownStore(field: string): Error {
  // The value is not quoted, because it may be a mistyped URL that contains a password.
  return validationError(
    { field, constraint: "enum", expected: ["file", "postgres", "postgres://user@host/database"] },
    {
      message: `Cannot copy: --${field} names no store`,
      remediation: `Say --${field} file, --${field} postgres (at DATABASE_URL), or --${field} postgres://user@host/database.`,
    },
  );
}
