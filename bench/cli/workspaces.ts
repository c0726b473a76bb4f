import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleSpec, specIdOf, taskIdOf, writeSpec } from "../specs/sample-specs.ts";

/** The folders in which the measured commands run. */
export interface Workspaces {
  /** The home folder, where the programs keep their files for a user. */
  readonly home: string;
  /** Creates a workspace with copies of the fixtures under new ids. */
  withSpecs(count: number): Promise<string>;
  /** Creates a workspace with one spec that has the given number of tasks. */
  withTasks(count: number): Promise<TaskWorkspace>;
  close(): Promise<void>;
}

/** A workspace with one spec. */
export interface TaskWorkspace {
  readonly folder: string;
  readonly specId: string;
  /** Returns the id of a task by its position in the order of work. */
  readonly taskId: (place: number) => string;
}

const fixtures = join("test", "fixtures", "specs");
/** The number of nodes of a spec that are not tasks: the root and ten phases. */
const nodesBesideTasks = 11;

/** Creates an empty folder for workspaces. `close` removes the folder with all workspaces. */
export async function openWorkspaces(): Promise<Workspaces> {
  const root = await mkdtemp(join(tmpdir(), "foundry-bench-"));
  let made = 0;
  const makeFolder = async () => {
    made += 1;
    const folder = join(root, `workspace-${made}`);
    await mkdir(join(folder, "specs"), { recursive: true });
    return folder;
  };
  return {
    home: join(root, "home"),
    async withSpecs(count) {
      const folder = await makeFolder();
      const files = await listFixtures();
      for (let copy = 0; copy < count; copy++) {
        const { status, name } = files[copy % files.length] ?? { status: "", name: "" };
        const text = await readFile(join(fixtures, status, name), "utf8");
        const id = name.slice(0, -".json".length);
        const target = join(folder, "specs", status);
        await mkdir(target, { recursive: true });
        const renamed = text.replace(`"spec_id": "${id}"`, `"spec_id": "${id}-${copy}"`);
        await writeFile(join(target, `${id}-${copy}.json`), renamed);
      }
      return folder;
    },
    async withTasks(count) {
      const folder = await makeFolder();
      const nodes = count + nodesBesideTasks;
      const specId = specIdOf(nodes);
      await writeSpec(join(folder, "specs"), specId, sampleSpec(nodes, specId, false));
      return { folder, specId, taskId: (place) => taskIdOf(nodes, place) };
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function listFixtures(): Promise<readonly { readonly status: string; readonly name: string }[]> {
  const found: { status: string; name: string }[] = [];
  for (const status of await readdir(fixtures)) {
    for (const name of await readdir(join(fixtures, status))) {
      if (name.endsWith(".json")) found.push({ status, name });
    }
  }
  return found;
}
