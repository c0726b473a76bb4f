import { lstatSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleDocument } from "../testing/sample-document.ts";
import { openFileStore } from "./file-store.ts";
import {
  attackSidecar,
  createHostileFolder,
  type HostileFolder,
  id,
  kinds,
  outcomeOf,
  rename,
  snapshot,
} from "./testing/hostile-folder.ts";

const posix = process.platform !== "win32";

let folder: HostileFolder;
beforeEach(async () => {
  folder = await createHostileFolder();
});
afterEach(() => folder.remove());

describe.runIf(posix)("a link in the place of the history's log", () => {
  it("is not written through", async () => {
    const store = openFileStore({ root: folder.root });
    await store.create(id, sampleDocument(id), "active");
    const log = folder.at(`.foundry/history/${id}/log.jsonl`);
    await rm(log);
    await symlink(join(folder.outside, "secret.txt"), log);
    const change = store.change(id, rename("$(touch /tmp/owned)"));
    await expect(change).rejects.toMatchObject({
      code: "INVALID_PATH",
      message: `Cannot read ".foundry/history/${id}/log.jsonl": it is a symbolic link`,
      options: {
        remediation: `Remove the link ".foundry/history/${id}/log.jsonl": it is created again when needed.`,
      },
    });
    expect(readFileSync(join(folder.outside, "secret.txt"), "utf8")).toBe("secret\n");
    await rm(log);
    expect((await store.change(id, rename("next"))).isChanged).toBe(true);
    expect(lstatSync(log).isFile()).toBe(true);
    await store.close();
  });
});

describe.runIf(posix)("in the place of any file or folder under .foundry", () => {
  // The file hostile-sidecar.prove.test.ts tests all kinds of entries with all calls.
  it.each([
    ["a link to a file outside", "change with a key"],
    ["a named pipe", "history"],
  ])(
    "%s reaches nothing outside, and blocks nothing once it is removed: %s",
    async (kind, call) => {
      expect(await attackSidecar(folder, kind, [call])).toBeGreaterThan(12);
    },
    30_000,
  );
});

describe.runIf(posix)("anything hostile in the place of a spec file", () => {
  it.each(Object.entries(kinds))(
    "is a problem of the list and a typed failure of the read: %s",
    async (_kind, put) => {
      const store = openFileStore({ root: folder.root });
      await store.create("good", sampleDocument("good"), "active");
      await put(folder.at("active/bad.json"), folder);
      const { specs, problems } = await store.list();
      expect([specs.map((spec) => spec.id), problems.map((problem) => problem.path)]).toEqual([
        ["good"],
        ["active/bad.json"],
      ]);
      for (const call of [
        () => store.read("bad"),
        () => store.readText("bad"),
        () => store.history("bad"),
        () => store.change("bad", rename("x")),
        () => store.move("bad", "completed", rename("x")),
      ])
        expect(["INVALID_PATH", "CONTENT_TOO_LARGE"]).toContain(await outcomeOf(call));
      expect((await store.change("good", rename("x"))).isChanged).toBe(true);
      await store.close();
    },
  );

  it.each(["active", "pending", "completed", "archived"])("also as the folder %s", async (status) => {
    const before = snapshot(folder.outside);
    for (const [kind, put] of Object.entries(kinds)) {
      await rm(folder.root, { recursive: true, force: true });
      await mkdir(folder.root, { recursive: true });
      await put(folder.at(status), folder);
      const store = openFileStore({ root: folder.root });
      for (const call of [
        () => store.list(),
        () => store.create(id, sampleDocument(id), status as "active"),
        () => store.read("other"),
      ])
        expect(["done", "INVALID_PATH", "SPEC_NOT_FOUND", "NOT_FOUND", "CONTENT_TOO_LARGE"], kind).toContain(
          await outcomeOf(call),
        );
      expect(snapshot(folder.outside), kind).toEqual(before);
      await store.close();
    }
  });

  it("reads a link that leads to another public file of the folder", async () => {
    const store = openFileStore({ root: folder.root });
    await store.create("good", sampleDocument("good"), "active");
    await symlink("../active/good.json", folder.at("active/alias.json"));
    expect((await store.read("alias")).bytes).toBeGreaterThan(0);
    await store.close();
  });
});
