import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../fixtures/specs", import.meta.url));

/** A folder with specs that a test may modify freely. */
export interface TestWorkspace {
  readonly folder: string;
  readonly specs: string;
  /** Writes a spec as a new file. A text is written unchanged. */
  write(name: string, content: object | string | Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

/** Creates a workspace with empty folders or with copies of the real specs. */
export async function createWorkspace(content: "empty" | "real" = "empty"): Promise<TestWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), "specs-"));
  const specs = join(folder, "specs");
  for (const status of ["pending", "active", "completed", "archived"])
    await mkdir(join(specs, status), { recursive: true });
  if (content === "real") await cp(fixtures, specs, { recursive: true });
  return {
    folder,
    specs,
    async write(name, text) {
      const path = join(specs, name);
      const isText = typeof text === "string" || text instanceof Uint8Array;
      await writeFile(path, isText ? text : `${JSON.stringify(text, null, 2)}\n`);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns the sorted names of files below a folder. The names of folders are left out. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

/**
 * Returns the names below a specs folder, each once. The full texts at the start of histories have the name
 * `base.json`, and files that changes replaced have the name `replaced.json`. The names are replaced, because these
 * revisions depend on the timing of changes.
 */
export async function settledFilesBelow(folder: string): Promise<readonly string[]> {
  const names = (await filesBelow(folder)).map((name) =>
    name
      .replace(/\/base-\d+-[0-9a-f]+\.json$/, "/base.json")
      .replace(/\/replaced-\d+-[0-9a-f]+-\d+\.json$/, "/replaced.json"),
  );
  return [...new Set(names)];
}

/** The shape of a spec for a test. */
export interface SpecShape {
  readonly title?: string;
  readonly phases?: number;
  /** The number of tasks in each phase. */
  readonly tasks?: number;
  /** For each task, the tasks on which it depends. */
  readonly blockedBy?: Readonly<Record<string, readonly string[]>>;
  readonly completed?: readonly string[];
}

/** Returns a valid spec of phases with tasks `task-P-N`. */
export function specOf(id: string, shape: SpecShape = {}) {
  const { title = `Sample ${id}`, phases = 1, tasks = 3, blockedBy = {}, completed = [] } = shape;
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const phaseIds = numbers(phases).map((phase) => `phase-${phase}`);
  const childrenOf = (phase: string) => numbers(tasks).map((task) => `task-${phase.slice(6)}-${task}`);
  const isDone = (task: string) => completed.includes(task);
  const doneIn = (phase: string) => childrenOf(phase).filter(isDone).length;
  const blocks = (task: string) =>
    Object.keys(blockedBy).filter((other) => blockedBy[other]?.includes(task) ?? false);
  const statusOf = (done: number, total: number) =>
    done === 0 ? "pending" : done === total ? "completed" : "in_progress";
  const parentNode = (
    type: string,
    name: string,
    children: readonly string[],
    done: number,
    all: number,
  ) => ({
    type,
    title: name,
    status: statusOf(done, all),
    parent: type === "spec" ? null : "spec-root",
    children,
    total_tasks: all,
    completed_tasks: done,
    metadata: type === "phase" ? { purpose: "To be worked through" } : {},
    dependencies: { blocks: [], blocked_by: [], depends: [] },
  });
  const leaf = (task: string, phase: string) => ({
    type: "task",
    title: `Do ${task}`,
    status: isDone(task) ? "completed" : "pending",
    parent: phase,
    children: [],
    total_tasks: 1,
    completed_tasks: isDone(task) ? 1 : 0,
    metadata: {
      description: `What ${task} is about`,
      task_category: "investigation",
      acceptance_criteria: ["It is done"],
      complexity: "low",
    },
    dependencies: { blocks: blocks(task), blocked_by: blockedBy[task] ?? [], depends: [] },
  });
  const done = phaseIds.reduce((sum, phase) => sum + doneIn(phase), 0);
  return {
    spec_id: id,
    title,
    generated: "2026-01-02T03:04:05Z",
    last_updated: "2026-01-02T03:04:05Z",
    metadata: {
      mission: "To be changed by tests",
      success_criteria: ["The validator finds nothing"],
      constraints: ["Nothing real"],
      plan_path: "plans/sample.md",
      plan_review_path: "plans/sample-review.md",
      complexity: "low",
    },
    progress_percentage: phases * tasks === 0 ? 0 : Math.floor((100 * done) / (phases * tasks)),
    status: "active",
    hierarchy: {
      "spec-root": parentNode("spec", title, phaseIds, done, phases * tasks),
      ...Object.fromEntries(
        phaseIds.map((phase, index) => [
          phase,
          parentNode("phase", `Phase ${index + 1}`, childrenOf(phase), doneIn(phase), tasks),
        ]),
      ),
      ...Object.fromEntries(
        phaseIds.flatMap((phase) => childrenOf(phase).map((task) => [task, leaf(task, phase)])),
      ),
    },
    journal: [] as object[],
  };
}
