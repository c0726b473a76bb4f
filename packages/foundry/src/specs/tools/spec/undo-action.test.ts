import { createRegistry } from "@foundry-mcp/toolkit";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../model/change.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import { sampleDocument } from "../../stores/testing/sample-document.ts";
import { createSpecTool } from "./spec-tool.ts";

const rename =
  (title: string): Plan<object> =>
  () => ({
    edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: title }],
    result: {},
  });

/** Creates a spec and a caller. The author of calls in this process is `in-process`. */
async function open() {
  const store = createMemoryStore();
  await store.create("one", sampleDocument("one"), "pending", { author: "in-process" });
  const registry = createRegistry({
    name: "test",
    version: "1.0.0",
    tools: [createSpecTool({ store: async () => store })],
  });
  const call = (args: object = {}, action = "undo") =>
    registry.call("spec", { action, spec_id: "one", ...args });
  const titleOf = async () => (await store.read("one")).model.node("task-1-1")?.title;
  return { store, call, titleOf };
}
const mine = { author: "in-process", action: "task update" };

describe("spec undo", () => {
  it("takes back the caller's last change, and an undo of that redoes it", async () => {
    const { store, call, titleOf } = await open();
    const { revision: first } = await store.read("one");
    const { snapshot } = await store.change("one", rename("Mine"), mine);
    const { data } = await call();
    expect(data).toMatchObject({
      spec_id: "one",
      from_revision: snapshot.revision,
      to_revision: first,
      undone: { action: "task update" },
      status: "pending",
    });
    expect([await titleOf(), (await store.history("one"))[0]?.action]).toEqual(["task-1-1", "spec undo"]);
    expect((await call()).data["undone"]).toMatchObject({ action: "spec undo" });
    expect(await titleOf()).toBe("Mine");
  });

  it("takes a move back, with its text", async () => {
    const { store, call, titleOf } = await open();
    await store.move("one", "archived", rename("Moved"), mine);
    expect((await call({ dry_run: true })).data["status"]).toBe("pending");
    expect((await call()).data["status"]).toBe("pending");
    expect([(await store.read("one")).folder, await titleOf()]).toEqual(["pending", "task-1-1"]);
  });

  it("takes nothing back where somebody else made the last change", async () => {
    const { store, call, titleOf } = await open();
    const { snapshot } = await store.change("one", rename("Mine"), mine);
    await store.change("one", rename("Theirs"), { author: "bob", action: "task update" });
    const { data, error } = await call();
    expect(error).toBe('Cannot undo your last change of spec "one": bob made the last one (task update)');
    expect([data["error_code"], data["remedy"], data["other_remedies"]]).toEqual([
      "CONFLICT",
      { tool: "spec", action: "diff", arguments: { spec_id: "one" } },
      [
        {
          tool: "spec",
          action: "rollback",
          arguments: { spec_id: "one", to_revision: snapshot.revision, confirm: true },
        },
      ],
    ]);
    expect(await titleOf()).toBe("Theirs");
  });

  it("answers a repeated call as the first one, whatever happened since", async () => {
    const { store, call, titleOf } = await open();
    await store.change("one", rename("Mine"), mine);
    const first = await call({ idempotency_key: "k" });
    await store.change("one", rename("Theirs"), { author: "bob" });
    const again = await call({ idempotency_key: "k" });
    expect(again.data["from_revision"]).toBe(first.data["from_revision"]);
    expect(await titleOf()).toBe("Theirs");
  });

  it("changes no task that an agent holds, unless forced", async () => {
    const { store, call, titleOf } = await open();
    await store.change("one", rename("Mine"), mine);
    const lease = { task_id: "task-1-1", token: "1", holder: "bob", since: "2026", until: "9999" };
    await store.change("one", () => ({ edits: [], result: {}, leases: { "task-1-1": lease } }));
    expect((await call()).data["error_code"]).toBe("CONFLICT");
    expect((await call({ force: true })).success).toBe(true);
    expect(await titleOf()).toBe("task-1-1");
  });
});

describe("spec delete and restore", () => {
  it("needs confirm, refuses while an agent works, and brings the spec back", async () => {
    const { store, call } = await open();
    const lease = { task_id: "task-1-1", token: "1", holder: "bob", since: "2026", until: "9999" };
    await store.change("one", () => ({ edits: [], result: {}, leases: { "task-1-1": lease } }));
    expect((await call({}, "delete")).data["error_code"]).toBe("MISSING_REQUIRED");
    const held = await call({ confirm: true }, "delete");
    expect(held.error).toBe('Cannot delete spec "one": bob holds task-1-1 until 9999');
    const deleted = await call({ confirm: true, force: true }, "delete");
    expect(deleted.data).toMatchObject({ title: "Sample one", from_folder: "pending", status: "trash" });
    const listed = await call({ spec_id: undefined, trash: true }, "list");
    expect(listed.data["specs"]).toMatchObject([{ id: "one", status: "pending", deleted_by: "in-process" }]);
    const restored = await call({}, "restore");
    expect(restored.data).toMatchObject({ title: "Sample one", status: "pending" });
    expect([...(await store.leases("one"))]).toEqual([]);
  });

  it("are not undone by an undo, which names the call that deletes the spec again", async () => {
    const { store, call } = await open();
    await call({ confirm: true }, "delete");
    const { data: restored } = await call({}, "restore");
    const { data, error } = await call();
    expect([error, data["error_code"], data["remedy"]]).toEqual([
      'Cannot undo your last change of spec "one": it brought the spec back from the trash',
      "INVALID_STATE",
      { tool: "spec", action: "delete", arguments: { spec_id: "one", confirm: true } },
    ]);
    const { revision, folder } = await store.read("one");
    expect([revision, folder]).toEqual([restored["revision"], "pending"]);
  });
});
