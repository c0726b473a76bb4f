import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, open, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { expect } from "vitest";
import type { Plan } from "../../../model/change.ts";
import type { SpecStore } from "../../spec-store.ts";
import { sampleDocument } from "../../testing/sample-document.ts";
import { openFileStore } from "../file-store.ts";

/** The spec that the calls use. */
export const id = "one";
const key = { key: "k", fingerprint: "f" };

/** A plan that changes one title. */
export const rename =
  (title: string): Plan<string> =>
  () => ({ edits: [{ op: "set", path: ["hierarchy", "task-1-1", "title"], value: title }], result: title });

/** A folder with specs, and a second folder next to it that no call may access. */
export interface HostileFolder {
  readonly root: string;
  readonly outside: string;
  /** Returns a path below the specs folder. */
  at(path: string): string;
  remove(): Promise<void>;
}

/** Creates the folder with specs and the folder next to it. */
export async function createHostileFolder(): Promise<HostileFolder> {
  const folder = await mkdtemp(join(tmpdir(), "hostile-"));
  const [root, outside] = [join(folder, "specs"), join(folder, "outside")];
  await mkdir(join(outside, "inner"), { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret\n");
  return {
    root,
    outside,
    at: (path) => join(root, path),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Creates every kind of file that is stored next to a spec. Returns the files and folders below .foundry. */
export async function createSidecar({ root, at }: HostileFolder): Promise<readonly string[]> {
  const store = openFileStore({ root });
  await store.create(id, sampleDocument(id), "active", { key: { ...key, key: "new" } });
  await store.change(id, rename("second"), { key });
  await store.change(id, rename("third"));
  await store.move(id, "pending", rename("fourth"));
  await store.move(id, "active", rename("fifth"));
  await store.close();
  // A lock file exists only while the lock is held, so its path is added here.
  const names = readdirSync(at(".foundry"), { recursive: true }).map((name) => `.foundry/${name}`);
  return [".foundry", `.foundry/locks/${id}.lock`, ...names];
}

/** Returns the names, kinds and contents of the entries below a folder. */
export function snapshot(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? createHash("sha256").update(readFileSync(file)).digest("hex") : "";
      return `${file} ${lstatSync(file).mode} ${content}`;
    })
    .toSorted();
}

/**
 * Returns the outcome of a call: `done`, or the code of its ContractError. Any other error fails the test.
 */
export async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "done";
  } catch (err) {
    if (!isContractError(err)) throw err;
    return err.code;
  }
}

/** All calls of a store, by name. */
export const calls: Readonly<Record<string, (store: SpecStore) => Promise<unknown>>> = {
  list: (store) => store.list(),
  read: (store) => store.read(id),
  readText: (store) => store.readText(id),
  leases: (store) => store.leases(id),
  history: (store) => store.history(id),
  change: (store) => store.change(id, rename("sixth")),
  "change with a key": (store) => store.change(id, rename("seventh"), { key }),
  move: (store) => store.move(id, "completed", rename("eighth")),
  create: (store) => store.create("two", sampleDocument("two"), "active", { key: { ...key, key: "new" } }),
  watch: async (store) => store.watch(() => {})(),
};

/** The hostile entries that can replace a file or folder. */
export const kinds: Readonly<Record<string, (path: string, folder: HostileFolder) => unknown>> = {
  "a link to a file outside": (path, { outside }) => symlink(join(outside, "secret.txt"), path),
  "a link to a folder outside": (path, { outside }) => symlink(outside, path),
  "a link that leads nowhere": (path, { outside }) => symlink(join(outside, "none"), path),
  "a link to itself": (path) => symlink(path, path),
  "a link to a device": (path) => symlink("/dev/zero", path),
  "a link into the folder": (path, { at }) => symlink(at("active"), path),
  "a named pipe": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdir(path),
  "a file of one terabyte": async (path) => {
    await (await open(path, "w")).close();
    await truncate(path, 2 ** 40);
  },
};

/**
 * Puts a hostile entry in every place and makes the calls. Afterwards, the calls are made again without the hostile
 * entry.
 */
export async function attackSidecar(
  folder: HostileFolder,
  kind: string,
  names: readonly string[] = Object.keys(calls),
): Promise<number> {
  const { root, outside, at } = folder;
  const places = await createSidecar(folder);
  const good = join(dirname(root), "good");
  await cp(root, good, { recursive: true });
  const before = snapshot(outside);
  for (const place of places)
    for (const name of names) {
      const label = `${kind} as ${place}: ${name}`;
      await rm(root, { recursive: true });
      await cp(good, root, { recursive: true });
      await rm(at(place), { recursive: true, force: true });
      await mkdir(dirname(at(place)), { recursive: true });
      await kinds[kind]?.(at(place), folder);
      const store = openFileStore({ root });
      const call = () => outcomeOf(() => calls[name]?.(store) ?? Promise.resolve());
      const outcome = await call();
      expect(["done", "INVALID_PATH", "CONTENT_TOO_LARGE"], label).toContain(outcome);
      // A damaged sidecar does not hide a spec.
      if (["list", "read", "readText"].includes(name)) expect(outcome, label).toBe("done");
      expect(snapshot(outside), label).toEqual(before);
      // The remedy of the error is to remove the entry. After this removal, the call must succeed.
      if (outcome !== "done") {
        await rm(at(place), { recursive: true });
        expect(await call(), `${label}, removed`).toBe("done");
      }
      await store.close();
    }
  return places.length;
}
