import { ContractError, isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { IdWorkspace } from "../app/list-spec-ids.ts";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import { createIdResolvers } from "./id-resolvers.ts";

const open = async (...given: Parameters<typeof openStore>) => (await openStore(...given)).resolvers;

async function openStore(
  active: readonly string[],
  env: Readonly<Record<string, string>> = {},
  updated: Readonly<Record<string, string>> = {},
) {
  const store = createMemoryStore();
  const hierarchy = {
    "spec-root": { type: "spec", title: "S", status: "pending", parent: null, children: ["phase-1"] },
    "phase-1": {
      type: "phase",
      title: "P",
      status: "pending",
      parent: "spec-root",
      children: ["task-1-1", "verify-1-1"],
    },
    "task-1-1": { type: "task", title: "T", status: "pending", parent: "phase-1", children: [] },
    "verify-1-1": { type: "verify", title: "V", status: "pending", parent: "phase-1", children: [] },
  };
  for (const id of [...active, "old-tides"])
    await store.create(
      id,
      {
        ...{ spec_id: id, title: id, generated: "", last_updated: updated[id] ?? "" },
        ...{ metadata: {}, hierarchy, journal: [] },
      },
      id === "old-tides" ? "completed" : "active",
    );
  const workspace: IdWorkspace = {
    location: async () => ({ database: "memory", workspace: "w" }),
    store: async () => store,
  };
  return { resolvers: createIdResolvers({ workspace, env }), store };
}

describe("ids of specs and nodes", () => {
  it("are found by their beginning", async () => {
    const { spec_id, task_id, verify_id, phase_id } = await open(["tides", "tide-tables"]);
    expect(await spec_id?.find("tide", {})).toEqual(["tides", "tide-tables"]);
    expect(await task_id?.find("", { spec_id: "tides" })).toEqual(["task-1-1", "verify-1-1"]);
    expect(await task_id?.find("t", { spec_id: "old" })).toEqual(["task-1-1"]);
    expect(await verify_id?.find("", { spec_id: "tides" })).toEqual(["verify-1-1"]);
    expect(await phase_id?.find("p", { spec_id: "tides" })).toEqual(["phase-1"]);
    expect(await task_id?.find("", { spec_id: "none" })).toEqual([]);
    // Two specs are active, so no spec is chosen.
    expect(await task_id?.find("", {})).toEqual([]);
  });

  it.each([
    ["task-1-1", true],
    ["phase-1", true],
    ["task-1-", false],
    ["task", false],
    ["t", false],
    ["login", false],
  ])("%s is whole: %s", async (text, isWhole) => {
    expect((await open([]))["task_id"]?.isWhole?.(text)).toBe(isWhole);
  });

  it("are the spec of the last change for undo, whatever time the specs contain", async () => {
    const { resolvers, store } = await openStore(["tides", "cranes"], {}, { cranes: "2036-01-02T00:00:00Z" });
    const meant = () => resolvers["spec_id"]?.fallback?.({ isRequired: true, action: "spec undo" });
    // Waits until the clock differs, because changes within a millisecond have the same time.
    const tick = () => expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(Date.now());
    await tick();
    await store.change("tides", () => ({
      edits: [{ op: "set", path: ["title"], value: "New" }],
      result: {},
    }));
    expect(await meant()).toEqual({ value: "tides", reason: "the spec that was changed last" });
    await tick();
    await store.remove("cranes", () => ({ result: {} }));
    await expect(meant()).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: 'Cannot choose a spec to undo: the last change deleted "cranes"',
      options: { remedy: { tool: "spec", action: "restore", arguments: { spec_id: "cranes" } } },
    });
  });

  it("are in the trash for a restoration", async () => {
    const { resolvers, store } = await openStore(["tides", "cranes", "tugs"], { FOUNDRY_SPEC: "tugs" });
    const action = "spec restore";
    const meant = () => resolvers["spec_id"]?.fallback?.({ isRequired: true, action });
    const offered = (prefix = "") => resolvers["spec_id"]?.find(prefix, {}, action);
    await expect(meant()).rejects.toMatchObject({
      message: "Cannot choose a spec: none is in the trash, and spec_id is required",
      options: { remedy: { tool: "spec", action: "list" } },
    });
    await store.remove("tides", () => ({ result: {} }));
    expect([await offered(), await offered("t"), await offered("c")]).toEqual([["tides"], ["tides"], []]);
    expect(await meant()).toEqual({ value: "tides", reason: "the only spec in the trash" });
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(Date.now());
    await store.remove("cranes", () => ({ result: {} }));
    await expect(meant()).rejects.toMatchObject({
      code: "MISSING_REQUIRED",
      message: "Cannot choose a spec: 2 are in the trash, and spec_id is required",
      options: {
        remediation: "Restore the spec that was deleted last: {1}; or give the id of another: tides.",
        remedy: { tool: "spec", action: "restore", arguments: { spec_id: "cranes" } },
        details: { expected: ["cranes", "tides"] },
      },
    });
  });

  it("are the only pending spec for an activation", async () => {
    const { resolvers, store } = await openStore(["tides", "cranes"]);
    await store.move("cranes", "pending", () => ({ edits: [], result: {} }));
    expect(
      await resolvers["spec_id"]?.fallback?.({ isRequired: true, action: "lifecycle activate" }),
    ).toEqual({
      value: "cranes",
      reason: "the only pending spec",
    });
  });

  it("are not asked for where there are no specs", async () => {
    const reason = new ContractError("Cannot find specs", { errorCode: "NOT_FOUND" });
    const refuse = () => Promise.reject(reason);
    const resolvers = createIdResolvers({ workspace: { location: refuse, store: refuse }, env: {} });
    for (const action of ["spec undo", "spec restore", "lifecycle activate", "task start"])
      await expect(resolvers["spec_id"]?.fallback?.({ isRequired: true, action })).rejects.toBe(reason);
    expect(
      await resolvers["spec_id"]?.fallback?.({ isRequired: false, action: "task next" }),
    ).toBeUndefined();
    expect(await resolvers["task_id"]?.find("", {})).toEqual([]);
  });

  it("are found by the only title", async () => {
    const { spec_id, task_id } = await open(["tides", "cranes"]);
    expect(await spec_id?.findNamed?.("TIDES ", {})).toBe("tides");
    expect(await spec_id?.findNamed?.("tide", {})).toBeUndefined();
    expect(await task_id?.findNamed?.("t", { spec_id: "tides" })).toBe("task-1-1");
  });

  it("are the only active spec, or FOUNDRY_SPEC", async () => {
    const only = await open(["tides"]);
    expect(await only["spec_id"]?.fallback?.({ isRequired: true })).toEqual({
      value: "tides",
      reason: "the only active spec",
    });
    expect(await only["spec_id"]?.fallback?.({ isRequired: false })).toBeUndefined();
    const named = await open(["tides", "cranes"], { FOUNDRY_SPEC: "cr" });
    for (const isRequired of [true, false])
      expect(await named["spec_id"]?.fallback?.({ isRequired })).toEqual({
        value: "cranes",
        reason: "by FOUNDRY_SPEC",
      });
  });

  it.each([
    [
      [],
      "Cannot choose a spec: none is active, and spec_id is required",
      "Give the id of the spec, or set FOUNDRY_SPEC; {1} lists the specs.",
      { tool: "spec", action: "list" },
    ],
    [
      ["tides", "cranes"],
      "Cannot choose a spec: 2 are active, and spec_id is required",
      "Give the id of the spec, or set FOUNDRY_SPEC to one of: tides, cranes.",
      undefined,
    ],
  ])("are asked for where the active specs are %j", async (active, message, remediation, remedy) => {
    const { spec_id } = await open(active);
    const thrown = await spec_id?.fallback?.({ isRequired: true }).catch((reason: unknown) => reason);
    if (!isContractError(thrown)) throw new Error(String(thrown));
    const { options } = thrown;
    expect([thrown.code, thrown.message, options.remediation, options.remedy, options.details]).toEqual([
      "MISSING_REQUIRED",
      message,
      remediation,
      remedy,
      { field: "spec_id", constraint: "required", expected: active, received: null },
    ]);
  });
});
