import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnvelope } from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createTools } from "#built/foundry/app/create-tools.js";
import { roles } from "#built/foundry/app/roles.js";
import { validateSpec } from "#built/foundry/specs/model/validate/validate-spec.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { createMemoryStore } from "#built/foundry/specs/stores/memory-store.js";
import { findLeaks } from "../toolkit/leaks.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { noFolder, noResearch, seedStore, specToolNames } from "./fresh-tools.ts";
import { hostileSpecCalls, revisions } from "./hostile-spec-calls.ts";
import { filesBelow } from "./workspace.ts";

type Store = ReturnType<typeof createMemoryStore>;

let store: Store | undefined;
const registry = createRegistry({
  name: "fuzz",
  roles,
  version: "1.0.0",
  tools: createTools(
    {
      async store() {
        if (store === undefined) throw new Error("No store is open.");
        return store;
      },
    },
    specToolNames,
    {
      // These tests run no programs.
      running: {
        programs: async () => [],
        folder: async () => ".",
        outputs: async () => createMemoryArchive(),
      },
      reviewing: noFolder,
      openResearch: noResearch,
    },
  ),
  budget: { archive: createMemoryArchive() },
  logger: silentLogger,
});
const calls = fc.array(hostileSpecCalls(registry), { minLength: 1, maxLength: 40, size: "max" });

/**
 * Returns the structural diagnostics of each spec. Every spec must be readable. Diagnostics of metadata are ignored,
 * because callers may write any metadata.
 */
async function errorsIn(opened: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const { specs, problems } = await opened.list();
  expect(problems).toEqual([]);
  const found = await Promise.all(
    specs.map(async ({ id }) => {
      const document: unknown = JSON.parse(Buffer.from(await opened.readText(id)).toString());
      const errors = validateSpec(document).diagnostics.filter(
        ({ severity, category, code }) =>
          severity === "error" && (category !== "metadata" || code === "INVALID_METADATA_TYPE"),
      );
      return [id, errors.map(({ code, message }) => `${code}: ${message}`)] as const;
    }),
  );
  return Object.fromEntries(found);
}

const outcomes = new Map<string, number>();

/** Replaces the placeholders in arguments by revisions. */
async function withRevisions(opened: Store, args: unknown): Promise<unknown> {
  const { spec_id } = args as { spec_id?: unknown };
  const entries = typeof spec_id === "string" ? await opened.history(spec_id).catch(() => []) : [];
  const known = new Map([
    [revisions.first, entries.at(-1)?.revision],
    [revisions.present, entries[0]?.revision],
  ]);
  return Object.fromEntries(
    Object.entries(args as object).map(([name, value]) => [name, known.get(value) ?? value]),
  );
}

/**
 * Makes calls on new specs, and checks the properties that every answer and every resulting spec must have.
 */
async function assertSafe(opened: Store, made: readonly { tool: string; args: unknown }[], secret?: string) {
  store = await seedStore(opened);
  const before = await errorsIn(store);
  for (const { tool, args: given } of made) {
    const args = await withRevisions(store, given);
    const { envelope } = await registry.dispatch(
      { tool, args },
      { surface: "in-process", client: { name: "fuzz" } },
    );
    const about = `${tool} ${JSON.stringify(args).slice(0, 2_000)}`;
    const text = JSON.stringify(envelope);
    expect(
      checkEnvelope(envelope, { deep: true }).filter(({ level }) => level === "MUST"),
      about,
    ).toEqual([]);
    expect(envelope.data["error_code"], `${about}: ${text.slice(0, 500)}`).not.toBe("INTERNAL_ERROR");
    expect(
      [...findLeaks(text), ...(secret !== undefined && text.includes(secret) ? [secret] : [])],
      about,
    ).toEqual([]);
    const { action } = args as { action: string };
    const outcome = `${tool} ${action} ${envelope.success ? "success" : "failure"}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const after = await errorsIn(store);
  for (const [id, errors] of Object.entries(after)) {
    const known = before[id] ?? [];
    const about = `${id} after ${JSON.stringify(made).slice(0, 4_000)}: ${errors.join("; ")}`;
    expect(errors.length, about).toBeLessThanOrEqual(known.length);
  }
  await store.close();
}

const members = Reflect.ownKeys(Object.prototype);
afterAll(() => expect(Reflect.ownKeys(Object.prototype)).toEqual(members));

describe("thousands of calls that nobody should make", () => {
  it("are answered, and leave specs as sound as they were, in memory", async () => {
    const property = fc.asyncProperty(calls, (made) => assertSafe(createMemoryStore(), made));
    await fc.assert(property, { numRuns: 600 });
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`${total} calls in memory\n`);
    // The calls must get far enough. Every action must have succeeded at least once, except actions that are switched
    // off.
    const seen = registry.tools.flatMap(({ name, actions }) =>
      [...actions.keys()].map(
        (action) => [`${name} ${action}`, outcomes.get(`${name} ${action} success`) ?? 0] as const,
      ),
    );
    expect(seen.filter(([, count]) => count === 0).map(([name]) => name)).toEqual([
      "verification execute",
      "content get",
      "content stat",
    ]);
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  }, 400_000);

  it("are answered, and leave whole files in their places, on the disk", async () => {
    const property = fc.asyncProperty(calls, async (made) => {
      const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
      try {
        const root = join(folder, "specs");
        for (const status of ["pending", "active", "completed", "archived"])
          await mkdir(join(root, status), { recursive: true });
        await assertSafe(openFileStore({ root }), made, folder);
        const files = await filesBelow(root);
        const known =
          /^((pending|active|completed|archived|\.foundry\/trash\/(pending|active|completed|archived))\/[a-z0-9-]+\.json|\.foundry\/(\.gitignore|state\/[a-z0-9-]+\.json|history\/[a-z0-9-]+\/(log\.jsonl|base-\d+-[0-9a-f]+\.json|replaced-\d+-[0-9a-f]+-\d+\.json)|answers\/(\+new|[a-z0-9-]+)\/[0-9a-f]{32}\.json))$/;
        expect(files.filter((file) => !known.test(file))).toEqual([]);
        expect(await readdir(folder)).toEqual(["specs"]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
    await fc.assert(property, { numRuns: 150 });
  }, 400_000);
});
