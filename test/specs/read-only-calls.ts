import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "@foundry-mcp/toolkit";

/** A call of a read-only action. */
export interface ReadOnlyCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The values of parameters by name: with them the handler of every read-only action is reached. */
const values: Readonly<Record<string, unknown>> = {
  spec_id: "one",
  task_id: "task-1-1",
  query: "about",
  research_id: "research-1",
  text: "{}",
  tool: "spec",
  client_capabilities: {},
  archive_id: `arc_${"0".repeat(24)}`,
  timeout_seconds: 0,
};

/** A call of each read-only action of a registry, with every parameter that has a value above. */
export function readOnlyCalls(registry: Registry): readonly ReadOnlyCall[] {
  return registry.tools.flatMap(({ name: tool, isPlain, actions }) =>
    [...actions.values()]
      .filter(({ hints }) => hints.readOnly)
      .map(({ name, input: { parameters } }) => {
        const known = Object.entries(values).filter(([parameter]) => parameters.has(parameter));
        return { tool, args: { ...(isPlain ? {} : { action: name }), ...Object.fromEntries(known) } };
      }),
  );
}

/** Everything below a folder: the kind, the time and the content of each file, link and folder. */
export async function describeTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const entries = ["", ...names].map(async (name) => {
    const path = join(folder, name);
    const stat = await lstat(path);
    const content = stat.isFile()
      ? createHash("sha256")
          .update(await readFile(path))
          .digest("hex")
      : stat.isSymbolicLink()
        ? await readlink(path)
        : "";
    return [name, `${stat.mode.toString(8)} ${stat.mtimeMs} ${content}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
