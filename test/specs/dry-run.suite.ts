import type { Envelope } from "@foundry-mcp/contract";
import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { describe, expect, it } from "vitest";
import { createTools } from "#built/foundry/app/create-tools.js";
import { roles } from "#built/foundry/app/roles.js";
import type { createMemoryStore } from "#built/foundry/specs/stores/memory-store.js";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { noFolder, noResearch, seeds, specToolNames } from "./fresh-tools.ts";

type Args = Readonly<Record<string, unknown>>;
type Store = Awaited<ReturnType<typeof createMemoryStore>>;

/** A store with the seeded specs for one call, and a description of everything that the store contains. */
export interface DryRunPlace {
  readonly store: Store;
  identity(): Promise<unknown>;
  close(): Promise<void>;
}

/** The calls of one action. */
interface DryRunRow {
  /** A call that succeeds. */
  readonly valid: Args;
  /** A call that is refused, and the code of its failure. */
  readonly refused: readonly [args: Args, code: string];
  /** The members that only a real run can return, such as the output of a program. */
  readonly realOnly?: readonly string[];
}

const spec_id = "one";
const one = { spec_id, task_id: "task-1-1" };
const held = { spec_id: "held", task_id: "task-1-1" };
const verified = { spec_id, verify_id: "verify-2-1" };
const phase = { spec_id, phase_id: "phase-1" };

/** The calls by tool and action. The revision of a rollback is filled in later. */
const table: Readonly<Record<string, DryRunRow>> = {
  "spec fix": { valid: { spec_id: "faulty" }, refused: [{ spec_id: "stuck" }, "CONFLICT"] },
  "spec rollback": {
    valid: { spec_id, to_revision: "first", confirm: true },
    refused: [{ spec_id, to_revision: "9-ffffffff", confirm: true }, "NOT_FOUND"],
  },
  "spec undo": { valid: { spec_id: "mine" }, refused: [{ spec_id }, "CONFLICT"] },
  "spec delete": {
    valid: { spec_id, confirm: true },
    refused: [{ spec_id: "held", confirm: true }, "CONFLICT"],
  },
  "spec restore": { valid: { spec_id: "gone" }, refused: [{ spec_id }, "INVALID_STATE"] },
  "spec import": {
    valid: { markdown: "# By hand\n\n## First\n\n- [ ] Do it\n" },
    refused: [
      { spec_id, markdown: "## P {#phase-1}\n\n- [ ] T\n  - Depends on: the moon\n" },
      "TASK_NOT_FOUND",
    ],
    // A dry run shows the changes that the real call would make.
    realOnly: ["diff"],
  },
  "task start": { valid: one, refused: [{ spec_id, task_id: "task-1-2" }, "DEPENDENCY_ERROR"] },
  "task complete": { valid: one, refused: [{ spec_id, task_id: "task-1-2" }, "DEPENDENCY_ERROR"] },
  "task block": { valid: { ...one, reason: "A wall" }, refused: [{ ...held, reason: "A wall" }, "CONFLICT"] },
  "task unblock": { valid: { spec_id, task_id: "task-1-3" }, refused: [one, "INVALID_STATE"] },
  "task update-status": {
    valid: { ...one, status: "in_progress" },
    refused: [{ ...held, status: "in_progress" }, "CONFLICT"],
  },
  "task reopen": {
    valid: { spec_id, task_id: "task-2-1", reason: "Not quite" },
    refused: [{ ...one, reason: "Not quite" }, "INVALID_STATE"],
  },
  "task batch": {
    valid: {
      spec_id,
      operations: [
        { op: "start", task_id: "task-1-1" },
        { op: "start", task_id: "task-9-9" },
      ],
    },
    refused: [{ spec_id, operations: [{ op: "start", task_id: "task-9-9" }] }, "TASK_NOT_FOUND"],
  },
  "task add": {
    valid: { spec_id, parent: "phase-1", title: "New" },
    refused: [{ spec_id, parent: "phase-1", title: "New", depends_on: ["nonsense"] }, "TASK_NOT_FOUND"],
  },
  "task remove": {
    valid: { spec_id, task_id: "task-1-4", confirm: true },
    refused: [{ ...held, confirm: true }, "CONFLICT"],
  },
  "task move": { valid: { ...one, position: 1 }, refused: [{ ...one, position: 99 }, "VALIDATION_ERROR"] },
  "task update": { valid: { ...one, title: "Better" }, refused: [{ ...held, title: "Better" }, "CONFLICT"] },
  "task add-dependency": {
    valid: { spec_id, task_id: "task-2-4", target_id: "task-1-1" },
    refused: [{ ...one, target_id: "task-1-2" }, "CIRCULAR_DEPENDENCY"],
  },
  "task remove-dependency": {
    valid: { spec_id, task_id: "task-1-2", target_id: "task-1-1" },
    refused: [{ ...one, target_id: "task-9-9" }, "TASK_NOT_FOUND"],
  },
  "authoring spec-create": {
    valid: { name: "A thing", phases: [{ title: "First", tasks: [{ title: "Do it" }] }] },
    refused: [
      { name: "A thing", phases: [{ title: "First", tasks: [{ title: "Do it", depends_on: ["x"] }] }] },
      "TASK_NOT_FOUND",
    ],
  },
  "authoring spec-update": {
    valid: { spec_id, title: "Better" },
    refused: [{ spec_id, title: "x".repeat(501) }, "CONTENT_TOO_LARGE"],
  },
  "authoring phase-add": {
    valid: { spec_id, title: "Afterwards" },
    refused: [{ spec_id, title: "Afterwards", position: 99 }, "VALIDATION_ERROR"],
  },
  "authoring phase-add-bulk": {
    valid: { spec_id, phase: { title: "Afterwards" }, tasks: [{ title: "Do it" }] },
    refused: [
      { spec_id, phase: { title: "Afterwards" }, tasks: [{ title: "A", depends_on: ["a"] }] },
      "CIRCULAR_DEPENDENCY",
    ],
  },
  "authoring phase-update": {
    valid: { ...phase, title: "Better" },
    refused: [{ spec_id, phase_id: "phase-9", title: "Better" }, "PHASE_NOT_FOUND"],
  },
  "authoring phase-move": {
    valid: { ...phase, position: 1 },
    refused: [{ ...phase, position: 9 }, "VALIDATION_ERROR"],
  },
  "authoring phase-remove": {
    valid: { ...phase, force: true, confirm: true },
    refused: [{ spec_id: "held", phase_id: "phase-1", confirm: true }, "CONFLICT"],
  },
  "authoring note-add": {
    valid: { spec_id, kind: "risk", text: "It may rain" },
    refused: [{ spec_id, kind: "risk", text: "x".repeat(20_001) }, "CONTENT_TOO_LARGE"],
  },
  "authoring find-replace": {
    valid: { spec_id, find: "Do", replace: "Have done" },
    refused: [{ spec_id: "held", find: "Held", replace: "Free" }, "CONFLICT"],
  },
  "authoring apply": {
    valid: { spec_id, operations: [{ op: "start", task_id: "task-1-1" }] },
    refused: [{ spec_id, operations: [{ op: "start", task_id: "task-1-2" }] }, "DEPENDENCY_ERROR"],
  },
  "lifecycle activate": { valid: { spec_id: "two" }, refused: [{ spec_id: "nothing" }, "SPEC_NOT_FOUND"] },
  "lifecycle complete": {
    valid: { spec_id, force: true, reason: "Enough" },
    refused: [{ spec_id }, "INVALID_STATE"],
  },
  "lifecycle archive": {
    valid: { spec_id },
    refused: [{ spec_id, if_revision: "9-ffffffff" }, "VERSION_CONFLICT"],
  },
  "lifecycle move": {
    valid: { spec_id, to_folder: "pending" },
    refused: [{ spec_id: "two", to_folder: "completed" }, "INVALID_STATE"],
  },
  "journal add": {
    valid: { spec_id, title: "Said", content: "Much" },
    refused: [{ ...one, task_id: "task-9-9", title: "Said", content: "Much" }, "TASK_NOT_FOUND"],
  },
  "verification add": {
    valid: { ...verified, result: "PASSED", output: "All of it" },
    refused: [{ spec_id, verify_id: "task-1-1", result: "PASSED" }, "VALIDATION_ERROR"],
    realOnly: ["archive_id"],
  },
  "review add": {
    valid: { ...one, verdict: "changes_requested", summary: "Not yet" },
    refused: [{ ...one, task_id: "task-9-9", verdict: "approved", summary: "Good" }, "TASK_NOT_FOUND"],
  },
  "verification execute": {
    valid: { ...verified, argv: ["node", "-e", "process.exit(0)"] },
    refused: [{ spec_id, verify_id: "task-1-1", argv: ["node", "--version"] }, "VALIDATION_ERROR"],
    realOnly: ["*"],
  },
};

/** Opens the tools on a store. Dry runs must not change the store. */
function toolsOn(store: Store): Registry {
  const archive = createMemoryArchive();
  const running = { programs: async () => ["node"], folder: async () => ".", outputs: async () => archive };
  return createRegistry({
    name: "dry-run",
    version: "1.0.0",
    roles,
    tools: createTools({ store: async () => store }, specToolNames, {
      running,
      reviewing: noFolder,
      openResearch: noResearch,
    }),
    logger: silentLogger,
  });
}

/** Tests every action that has `dry_run`. `open` creates a store with the seeded specs for each test. */
export function describeDryRuns(open: () => Promise<DryRunPlace>): void {
  const names = toolsOn(undefined as never).tools.flatMap(({ name: tool, actions }) =>
    [...actions.values()]
      .filter(({ input }) => input.parameters.has("dry_run"))
      .map(({ name }) => ({ key: `${tool} ${name}`, tool, action: name })),
  );

  it("has a row for every action that takes dry_run", () => {
    expect(Object.keys(table).toSorted()).toEqual(names.map(({ key }) => key).toSorted());
  });

  describe.each(names)("$key", ({ key, tool, action }) => {
    const run = async (given: Args) => {
      const place = await open();
      try {
        const registry = toolsOn(place.store);
        const first = (await place.store.history(spec_id)).at(-1)?.revision;
        const args = {
          action,
          ...given,
          ...(given["to_revision"] === "first" ? { to_revision: first } : {}),
        };
        const before = await place.identity();
        const dry = await registry.call(tool, { ...args, dry_run: true });
        const after = await place.identity();
        const real = await registry.call(tool, args);
        return { before, dry, after, real, end: await place.identity() };
      } finally {
        await place.close();
      }
    };
    const { valid, refused, realOnly = [] } = table[key] ?? { valid: {}, refused: [{}, ""] };

    it("says that it is a dry run, writes nothing, and tells what the real call does", async () => {
      const { before, dry, after, real, end } = await run(valid);
      expect(after).toEqual(before);
      expect([dry.success, dry.error, Object.entries(dry.data)[0]]).toEqual([true, null, ["dry_run", true]]);
      expect([real.success, real.error]).toEqual([true, null]);
      expect(end).not.toEqual(before);
      if (!realOnly.includes("*")) expect(settled(dry, realOnly)).toEqual(settled(real, realOnly));
    });

    it("is refused as the real call is, and writes nothing", async () => {
      const [args, code] = refused;
      const { before, dry, after, real } = await run(args);
      expect(after).toEqual(before);
      expect([dry.data["error_code"], real.data["error_code"]]).toEqual([code, code]);
      expect(dry.error).toBe(real.error);
    });
  });
}

/**
 * Returns the payload and the warnings without the values that differ between a dry run and a real run, which are the
 * revision and the times.
 */
function settled({ data, meta }: Envelope, realOnly: readonly string[]): object {
  const isMoving = new Set(["dry_run", "revision", "kept", "idempotency_key", ...realOnly]);
  const text = JSON.stringify({ data, warnings: meta.warnings }, (key, value: unknown) =>
    isMoving.has(key) || key.endsWith("_at") || key === "timestamp" ? undefined : value,
  );
  return JSON.parse(text.replaceAll(seeds.token, "token")) as object;
}
