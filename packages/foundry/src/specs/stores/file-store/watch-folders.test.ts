import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { watchFolders } from "./watch-folders.ts";
import type { WatchDeps } from "./watched-folder.ts";

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-watch-"));
  root = join(folder, "specs");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Watches the folders, and collects the reported ids. */
function listen(ways?: WatchDeps) {
  const heard: string[] = [];
  let wake = () => {};
  const stop = watchFolders(
    root,
    (id) => {
      heard.push(id);
      wake();
    },
    ways,
  );
  onTestFinished(stop);
  return {
    heard,
    stop,
    /** Waits until an id is reported, and returns all ids that were reported until then. */
    async until(id: string): Promise<readonly string[]> {
      while (!heard.includes(id))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return heard.splice(0);
    },
  };
}

const makeFolders = async () => {
  for (const name of ["pending", "active", "completed", "archived", ".foundry/state"])
    await mkdir(join(root, name), { recursive: true });
};
const write = (path: string, text = "{}") => writeFile(join(root, path), text);

/** Watch functions that cannot create watchers, which simulates a system with too many watchers. */
const withoutWatchers: WatchDeps = {
  watch: (() => {
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  }) as typeof watch,
  isRemote: () => false,
  pollMs: 10,
};

describe.each([
  ["told by the system", undefined],
  ["without watchers", withoutWatchers],
])("watchFolders, %s", (_name, ways) => {
  it.each([
    "pending/one.json",
    "active/one.json",
    "completed/one.json",
    "archived/one.json",
    ".foundry/state/one.json",
  ])("tells of %s", async (path) => {
    await makeFolders();
    const { until } = listen(ways);
    await write(path);
    expect(await until("one")).toEqual(["one"]);
    await write(path, '{"changed": true}');
    expect(await until("one")).toEqual(["one"]);
    await rm(join(root, path));
    expect(await until("one")).toEqual(["one"]);
  });

  it("says nothing of what is there when it begins, of temporary files, and of what is no spec", async () => {
    await makeFolders();
    await write("active/before.json");
    const { until } = listen(ways);
    await write("active/.one.json.0123abcd-12-0123456789abcdef.tmp");
    await write("active/notes.txt");
    await write("active/..json");
    await write("other.json");
    await write(".foundry/settings.json");
    await mkdir(join(root, ".foundry/locks"));
    await write(".foundry/locks/one.lock");
    await write("active/last.json");
    expect(await until("last")).toEqual(["last"]);
  });

  it("tells a change that is a rename", async () => {
    await makeFolders();
    await write("active/one.json");
    const { until } = listen(ways);
    await write("active/.one.json.draft", '{"new": 1}');
    await rename(join(root, "active/.one.json.draft"), join(root, "active/one.json"));
    expect(await until("one")).toEqual(["one"]);
    await rename(join(root, "active/one.json"), join(root, "completed/one.json"));
    expect(await until("one")).toEqual(["one"]);
  });

  it("hears of folders that come later, however far above nothing is there", async () => {
    root = join(folder, "a/b/specs");
    const { until } = listen(ways);
    await mkdir(join(root, "active"), { recursive: true });
    await write("active/one.json");
    expect(await until("one")).toEqual(["one"]);
    await mkdir(join(root, ".foundry/state"), { recursive: true });
    await write(".foundry/state/two.json");
    expect(await until("two")).toEqual(["two"]);
    await write("active/three.json");
    expect(await until("three")).toEqual(["three"]);
  });

  it("goes on when a folder is removed and made again", async () => {
    await makeFolders();
    await write("active/one.json");
    const { until } = listen(ways);
    for (const id of ["two", "three", "four"]) {
      await rm(join(root, "active"), { recursive: true });
      await mkdir(join(root, "active"));
      await write(`active/${id}.json`);
      await until(id);
    }
    await rm(root, { recursive: true });
    await until("four");
    await makeFolders();
    await write(".foundry/state/five.json");
    await until("five");
    await write("active/six.json");
    await until("six");
  });

  it("tells what was in a folder that is moved away, and what is in the one that takes its place", async () => {
    await makeFolders();
    await write("active/one.json");
    await mkdir(join(folder, "other/active"), { recursive: true });
    await writeFile(join(folder, "other/active/two.json"), "{}");
    const { heard, until } = listen(ways);
    await rename(root, join(folder, "away"));
    await until("one");
    await rename(join(folder, "other"), root);
    await until("two");
    await write("active/three.json");
    await until("three");
    // The former location of the folder is no longer watched.
    await writeFile(join(folder, "away/active/elsewhere.json"), "{}");
    await write("active/four.json");
    await until("four");
    expect(heard).toEqual([]);
  });

  it("says nothing after it was stopped", async () => {
    await makeFolders();
    const first = listen(ways);
    const second = listen(ways);
    await write("active/one.json");
    await first.until("one");
    await second.until("one");
    await write("active/two.json");
    first.stop();
    await second.until("two");
    expect(first.heard).toEqual([]);
  });
});

describe("watchFolders", () => {
  it("tells a burst once, and what happens after that again", async () => {
    await makeFolders();
    const events = new Map<string, (event: string, name: string) => void>();
    const byHand = ((path: string, _options: object, listener: (event: string, name: string) => void) => {
      events.set(relative(root, path), listener);
      return Object.assign(new EventEmitter(), { close: () => {} });
    }) as unknown as typeof watch;
    const { heard, until } = listen({ watch: byHand, isRemote: () => false, pollMs: 10 });
    const emit = (path: string) => events.get(dirname(path))?.("change", basename(path));
    for (let burst = 0; burst < 3; burst++) {
      for (let turn = 0; turn < 20; turn++)
        for (const path of ["active/one.json", ".foundry/state/one.json", "pending/two.json"]) emit(path);
      // No id is reported before the burst has ended, so the report contains all ids of the burst.
      expect(heard).toEqual([]);
      expect(await until("two")).toEqual(["one", "two"]);
    }
  });

  it("tells a change of a file after it was made, however many there were", async () => {
    await makeFolders();
    const { until } = listen();
    for (let turn = 0; turn < 20; turn++) {
      await write("active/one.json", String(turn));
      await write(".foundry/state/one.json", String(turn));
    }
    await write("active/last.json");
    expect(new Set(await until("last"))).toEqual(new Set(["one", "last"]));
  });

  it.runIf(process.platform !== "win32")("follows no link out of the folder or under .foundry", async () => {
    await makeFolders();
    const [outside, inside] = [join(folder, "outside"), join(root, "inside")];
    await mkdir(outside);
    await mkdir(inside);
    for (const [name, target] of [
      ["active", outside],
      ["completed", inside],
      [".foundry/state", inside],
    ] as const) {
      await rm(join(root, name), { recursive: true });
      await symlink(target, join(root, name));
    }
    const { until } = listen();
    await writeFile(join(outside, "secret.json"), "{}");
    await writeFile(join(inside, "seen.json"), "{}");
    const first = await until("seen");
    await write("pending/last.json");
    expect([...first, ...(await until("last"))]).toEqual(["seen", "last"]);
  });

  it("looks for itself where the system would not tell what others do", async () => {
    await makeFolders();
    const watching = vi.fn<() => FSWatcher>();
    const { until } = listen({ watch: watching as typeof watch, isRemote: () => true, pollMs: 10 });
    await write("active/one.json");
    expect(await until("one")).toEqual(["one"]);
    expect(watching).not.toHaveBeenCalled();
  });

  it("looks for itself when a watcher fails later", async () => {
    await makeFolders();
    await write("active/one.json");
    const watchers: FSWatcher[] = [];
    const { heard, until } = listen({
      isRemote: () => false,
      pollMs: 10,
      watch: ((...args: Parameters<typeof watch>) => {
        const watcher = watch(...args);
        watchers.push(watcher);
        return watcher;
      }) as typeof watch,
    });
    expect(watchers).toHaveLength(7);
    for (const watcher of watchers) watcher.emit("error", new Error("EPERM"));
    await until("one");
    await write("active/two.json");
    await until("two");
    await utimes(join(root, "active/one.json"), 1, 1);
    await until("one");
    expect(heard).toEqual([]);
  });

  it("tells of everything where the system does not say what has changed", async () => {
    await makeFolders();
    await write("active/one.json");
    const nameless = ((path: string, options: object, listener: (event: string, name: null) => void) =>
      watch(path, options, (event) => listener(event, null))) as typeof watch;
    const { until } = listen({ watch: nameless, isRemote: () => false, pollMs: 10 });
    await write("active/two.json");
    expect(new Set(await until("two"))).toEqual(new Set(["one", "two"]));
    await write(".foundry/state/three.json");
    await until("three");
  });

  it("hears another process", async () => {
    await makeFolders();
    const { until } = listen();
    const writer = `require("node:fs").writeFileSync(${JSON.stringify(join(root, ".foundry/state/two.json"))}, "{}")`;
    const other = spawn(process.execPath, ["-e", writer], { stdio: "inherit" });
    expect(await until("two")).toEqual(["two"]);
    if (other.exitCode === null) await once(other, "exit");
  });
});
