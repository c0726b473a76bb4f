import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sampleSpec, specIdOf, taskIdOf, tasksOf, writeSpec } from "../specs/sample-specs.ts";
import type { ServerProgram } from "../start/started-server.ts";

/** A workspace of Foundry with one spec. */
export interface FoundryProject {
  readonly folder: string;
  readonly specId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly server: ServerProgram;
  /** Returns the id of a task in the second half, which is open. */
  readonly openTask: (place: number) => string;
  /** Returns the number of completed tasks in the file. */
  countDone(): Promise<number>;
}

/** The command line of Foundry. */
export const foundryCli: string = resolve("packages/foundry/dist/bin/foundry-cli.cjs");

const nodesBesideTasks = 11;

/** Creates a workspace with one spec, whose first half is completed. */
export async function createFoundry(scratch: string, tasks: number): Promise<FoundryProject> {
  const folder = join(scratch, `foundry-${tasks}`);
  const nodes = tasks + nodesBesideTasks;
  const specId = specIdOf(nodes);
  const env = { HOME: join(scratch, "home") };
  await writeSpec(join(folder, "specs"), specId, sampleSpec(nodes, specId));
  const half = Math.ceil(tasksOf(nodes) / 2);
  return {
    ...{ folder, specId, env },
    server: {
      command: process.execPath,
      args: [resolve("packages/foundry/dist/bin/foundry-mcp.cjs")],
      ...{ cwd: folder, env },
    },
    openTask: (place) => taskIdOf(nodes, half + place),
    async countDone() {
      const text = await readFile(join(folder, "specs/active", `${specId}.json`), "utf8");
      const { hierarchy } = JSON.parse(text) as {
        readonly hierarchy: Readonly<
          Record<string, { readonly status: string; readonly children: readonly string[] }>
        >;
      };
      return Object.values(hierarchy).filter(
        ({ status, children }) => status === "completed" && children.length === 0,
      ).length;
    },
  };
}
