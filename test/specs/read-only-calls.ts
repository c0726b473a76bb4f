import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "@foundry-mcp/toolkit";

/** A call of a read-only action. */
export interface ReadOnlyCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The values of parameters by name. With these values, calls reach the handler of every read-only action. */
const values: Readonly<Record<string, unknown>> = {
  spec_id: "one",
  task_id: "task-1-1",
  query: "about",
  research_id: "research-1",
  text: "{}",
  tool: "spec",
  client_capabilities: {},
  archive_id: `arc_${"0".repeat(24)}`,
  job_id: `job_${"0".repeat(32)}`,
  timeout_seconds: 0,
  name: "port",
};

/** Returns a call of each read-only action of a registry, with every parameter that has a value above. */
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

/** The values of parameters that changes require. */
const changeValues: Readonly<Record<string, unknown>> = {
  ...values,
  name: "A",
  phase_id: "phase-1",
  verify_id: "verify-1-1",
  target_id: "task-1-2",
  parent: "phase-1",
  title: "A",
  reason: "r",
  content: "c",
  kind: "risk",
  find: "a",
  replace: "b",
  status: "in_progress",
  to_folder: "active",
  to_revision: "1-00000000",
  markdown: "# A\n\n- [ ] task",
  result: "PASSED",
  verdict: "approved",
  summary: "s",
  phase: { title: "A" },
  tasks: [{ title: "A" }],
  operations: [{ op: "start", task_id: "task-1-1" }],
  timeout_seconds: 1,
  confirm: true,
  dry_run: true,
};

/** Returns a dry run of each action that supports it. */
export function dryRuns(registry: Registry): readonly ReadOnlyCall[] {
  return registry.tools.flatMap(({ name: tool, actions }) =>
    [...actions.values()]
      .filter(({ input: { parameters } }) => parameters.has("dry_run"))
      .map(({ name, input: { parameters } }) => {
        const known = Object.entries(changeValues).filter(([parameter]) => parameters.has(parameter));
        const { status, ...others } = Object.fromEntries(known);
        return { tool, args: { action: name, ...others, ...(name === "update-status" ? { status } : {}) } };
      }),
  );
}

/** Describes everything below a folder, with the kind, the time and the content of each file, link and folder. */
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
