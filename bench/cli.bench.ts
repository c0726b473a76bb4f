import { resolve } from "node:path";
import { type ProcessOptions, runNode } from "./cli/run-node.ts";
import { openWorkspaces, type Workspaces } from "./cli/workspaces.ts";
import { type Case, growth, measure } from "./measure.ts";
import type { Bench } from "./report.ts";

const program = resolve("packages/foundry/dist/bin/foundry-cli.cjs");
const unbundled = resolve("packages/foundry/dist/cli/foundry-cli.js");
const baseline = "node -e 0";
const sizes = [100, 1_000, 10_000];
const hasCertificates = process.env["NODE_EXTRA_CA_CERTS"] !== undefined;

/** What people wait for: a whole command, from its start to the end of its answer. */
export const cli: Bench = {
  name: "cli",
  title: "a command from start to answer, against a Node that does nothing",
  run: async (options) => {
    const workspaces = await openWorkspaces();
    try {
      return [
        {
          title: "Small commands",
          result: await measure(await startCases(workspaces), { baseline, ...options }),
        },
        {
          title: `Small commands in the environment of this shell${hasCertificates ? ", which has NODE_EXTRA_CA_CERTS" : ""}`,
          result: await measure(await shellCases(workspaces), { baseline, ...options }),
        },
        {
          title: "One spec, by its number of tasks",
          result: await growth(sizes, (size) => taskCases(workspaces, size), { baseline, ...options }),
        },
      ];
    } finally {
      await workspaces.close();
    }
  },
};

async function startCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const place = placeIn(workspaces, await workspaces.withSpecs(26));
  const withoutCache: ProcessOptions = { ...place, env: { ...place.env, NODE_DISABLE_COMPILE_CACHE: "1" } };
  const find = ["specs", "find"];
  return [
    { name: baseline, run: () => runNode(["-e", "0"], place) },
    { name: "version", run: () => runNode([program, "version"], place) },
    { name: "specs find, 26 specs", run: () => runNode([program, ...find], place), target: 2 },
    // What the first run takes, before there is any compiled code.
    {
      name: "specs find, nothing compiled before",
      run: () => runNode([program, ...find], withoutCache),
    },
    { name: "specs find, not bundled", run: () => runNode([unbundled, ...find], place) },
  ];
}

/** As people run them: a Node that reads certificates is slower, and what a command adds counts for less. */
async function shellCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const shell = process.env as Record<string, string>;
  const inShell = (cwd: string): ProcessOptions => ({
    cwd,
    env: { ...shell, ...placeIn(workspaces, cwd).env },
  });
  const specs = inShell(await workspaces.withSpecs(26));
  const { folder, specId } = await workspaces.withTasks(10_000);
  return [
    { name: baseline, run: () => runNode(["-e", "0"], specs) },
    { name: "specs find, 26 specs", run: () => runNode([program, "specs", "find"], specs), target: 2 },
    {
      name: "tasks next, 10,000 tasks",
      run: () => runNode([program, "tasks", "next", specId], inShell(folder)),
      target: 5,
    },
  ];
}

async function taskCases(workspaces: Workspaces, size: number): Promise<readonly Case[]> {
  const { folder, specId } = await workspaces.withTasks(size);
  const place = placeIn(workspaces, folder);
  const changed = await workspaces.withTasks(size);
  const changedPlace = placeIn(workspaces, changed.folder);
  let done = 0;
  return [
    { name: baseline, run: () => runNode(["-e", "0"], place) },
    {
      name: "tasks next",
      run: () => runNode([program, "tasks", "next", specId], place),
      ...(size === 10_000 ? { target: 5 } : {}),
    },
    {
      // Another task each time, in their order: one that is done cannot be completed.
      name: "tasks complete",
      run: () => {
        const task = changed.taskId(done);
        done += 1;
        return runNode([program, "tasks", "complete", changed.specId, task, "--note", "Done"], changedPlace);
      },
    },
    { name: "validate check", run: () => runNode([program, "validate", "check", specId], place) },
  ];
}

/**
 * What the user has set must not count: NODE_EXTRA_CA_CERTS alone makes a Node that does nothing three times as
 * slow, and every ratio flatter. What the program keeps for users must.
 */
function placeIn({ home }: Workspaces, cwd: string): ProcessOptions {
  return { cwd, env: { HOME: home } };
}
