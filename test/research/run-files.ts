import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The run folders of a workspace, as another process sees them. */
export interface RunFiles {
  readonly folder: string;
  /** Returns the ids of all research runs. */
  ids(): Promise<readonly string[]>;
  /** Returns the number of sources of a run that are done. */
  done(id: string): Promise<number>;
  /** Waits for a run whose id is not in `known`, and returns its id. */
  untilBegun(known: readonly string[]): Promise<string>;
  /** Waits until at least this many sources are done. */
  untilDone(id: string, count: number): Promise<void>;
}

/** Opens the run folders of a workspace. */
export function openRunFiles(workspace: string): RunFiles {
  const folder = join(workspace, "specs", ".foundry", "research");
  const ids = () => readdir(folder).catch(() => []);
  const done = async (id: string) => {
    const text = await readFile(join(folder, id, "digests.jsonl"), "utf8").catch(() => "");
    return text.split("\n").length - 1;
  };
  return {
    folder,
    ids,
    done,
    async untilBegun(known) {
      for (;;) {
        for (const id of await ids())
          if (!known.includes(id) && (await isThere(join(folder, id, "run.json")))) return id;
        await pause(2);
      }
    },
    async untilDone(id, count) {
      while ((await done(id)) < count) await pause(2);
    },
  };
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
