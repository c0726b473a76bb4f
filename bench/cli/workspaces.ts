import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleSpec, specIdOf, taskIdOf, writeSpec } from "../specs/sample-specs.ts";

/** Folders to run commands in. */
export interface Workspaces {
  /** Where the programs keep what they keep for a user. */
  readonly home: string;
  /** A workspace with copies of the fixtures under new ids. */
  withSpecs(count: number): Promise<string>;
  /** A workspace with one spec of so many tasks. */
  withTasks(count: number): Promise<TaskWorkspace>;
  close(): Promise<void>;
}

/** A workspace with one spec. */
export interface TaskWorkspace {
  readonly folder: string;
  readonly specId: string;
  /** The id of a task by its place in the order of work. */
  readonly taskId: (place: number) => string;
}

const fixtures = join("test", "fixtures", "specs");
/** The root and ten phases are nodes too. */
const nodesBesideTasks = 11;

/** Opens an empty place for workspaces; closing it removes them. */
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
