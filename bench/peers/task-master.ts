import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Peers } from "./install-peers.ts";

/** A project of Task Master. */
export interface TaskMaster {
  readonly folder: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a project of Task Master with tasks, of which the first half is done; undefined if it is not installed. */
export async function createTaskMaster(
  peers: Peers,
  scratch: string,
  tasks: number,
): Promise<TaskMaster | undefined> {
  const program = peers.programOf("task-master-ai", "task-master");
  if (program === undefined) return undefined;
  const folder = join(scratch, `task-master-${tasks}`);
  const env = {
    ...{ HOME: join(scratch, "home"), CI: "1", NO_COLOR: "1", DO_NOT_TRACK: "1" },
    TASKMASTER_SKIP_AUTO_UPDATE: "1",
  };
  await mkdir(join(folder, ".taskmaster/tasks"), { recursive: true });
  await mkdir(env.HOME, { recursive: true });
  const list = Array.from({ length: tasks }, (_, at) => ({
    id: at + 1,
    title: `Read section ${at + 1} of the configuration file`,
    description: "Take it apart, check every value, and say what is wrong with it.",
    ...{ details: "", testStrategy: "", priority: "medium", subtasks: [] },
    status: at < tasks / 2 ? "done" : "pending",
    dependencies: at >= tasks / 2 && at % 10 === 9 ? [at] : [],
  }));
  const text = JSON.stringify({ master: { tasks: list, metadata: { description: "bench" } } });
  await writeFile(join(folder, ".taskmaster/tasks/tasks.json"), text);
  return { folder, program, env };
}
