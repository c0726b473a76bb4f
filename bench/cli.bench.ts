import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ProcessOptions, runNode } from "./cli/run-node.ts";
import { openWorkspaces, type Workspaces } from "./cli/workspaces.ts";
import { type Case, growth, measure } from "./measure.ts";
import type { Bench } from "./report.ts";

const program = resolve("packages/foundry/dist/bin/foundry-cli.cjs");
const unbundled = resolve("packages/foundry/dist/cli/foundry-cli.js");
const baseline = "node -e 0";
const sizes = [100, 1_000, 10_000];
/** The largest ratios that we promise for a command in an empty environment. */
const targets = { find: 1.7, next: 3.5, complete: 6 };
/** How much slower a command may be right after a write. */
const afterWrite = 1.3;
const hasCertificates = process.env["NODE_EXTRA_CA_CERTS"] !== undefined;

/** Measures the time that users wait for a command, from its start to the end of its output. */
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
          title: "Completion",
          result: await measure(await completionCases(workspaces), { baseline, ...options }),
        },
        {
          title: "Right after a write",
          result: await measure(await freshCases(workspaces), { baseline, ...options }),
        },
        {
          title: "Ten commands taking turns, in a home in which every command was used once",
          result: await measure(await turnCases(workspaces), { baseline, ...options }),
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

/** Measures the time that a shell waits for each completion. */
async function completionCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const place = placeIn(workspaces, await workspaces.withSpecs(300));
  const complete = (...words: readonly string[]) =>
    runNode([program, "__complete", String(words.length), "foundry-cli", ...words], place);
  const [specId = ""] = (await complete("specs", "get", "")).split("\n");
  return [
    { name: baseline, run: () => runNode(["-e", "0"], place) },
    { name: "spec ids, 300 specs", run: () => complete("specs", "get", ""), target: 2 },
    { name: "task ids of one spec", run: () => complete("tasks", "complete", specId, ""), target: 2 },
    { name: "commands", run: () => complete("tasks", "c") },
  ];
}

/** Measures commands on files that were changed a moment ago, so that no timestamp proves that they are unchanged. */
async function freshCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const specs = await workspaces.withSpecs(26);
  const large = await workspaces.withTasks(10_000);
  const fresh = (folder: string, args: readonly string[]) => {
    const [status = ""] = ["active", "completed"]
      .map((name) => join(folder, "specs", name))
      .filter((path) => existsSync(path) && readdirSync(path).length > 0);
    const [name = ""] = readdirSync(status).filter((each) => each.endsWith(".json"));
    const now = Date.now() / 1_000;
    utimesSync(join(status, name), now, now);
    return runNode([program, ...args], placeIn(workspaces, folder));
  };
  let done = 0;
  return [
    { name: baseline, run: () => runNode(["-e", "0"], placeIn(workspaces, specs)) },
    {
      name: "specs find, 26 specs",
      run: () => fresh(specs, ["specs", "find"]),
      target: targets.find * afterWrite,
    },
    {
      name: "tasks next, 10,000 tasks",
      run: () => fresh(large.folder, ["tasks", "next", large.specId]),
      target: targets.next * afterWrite,
    },
    {
      name: "tasks complete, 10,000 tasks",
      run: () =>
        fresh(large.folder, ["tasks", "complete", large.specId, large.taskId(done++), "--note", "Done"]),
      target: targets.complete * afterWrite,
    },
  ];
}

/** Measures ten commands one after the other, after all commands have left their compiled code in the home folder. */
async function turnCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const specs = placeIn(workspaces, await workspaces.withSpecs(26));
  const large = await workspaces.withTasks(10_000);
  const place = placeIn(workspaces, large.folder);
  const complete = async (...words: readonly string[]) => {
    const text = await runNode(
      [program, "__complete", String(words.length + 1), "foundry-cli", ...words, ""],
      specs,
    );
    return text.split("\n").flatMap((line) => /^[a-z][a-z-]*(?=\t|$)/.exec(line)?.[0] ?? []);
  };
  for (const group of await complete())
    for (const name of await complete(group)) await runNode([program, group, name, "--help"], specs);
  let done = 0;
  const inSpecs = ["specs find", "specs list", "version", "tasks --help", "specs --help"];
  const inLarge = ["show", "list", "progress"].map((name) => ["tasks", name, large.specId]);
  const command = (args: readonly string[], where: ProcessOptions, target?: number): Case => ({
    name: args.slice(0, 2).join(" "),
    run: () => runNode([program, ...args], where),
    ...(target === undefined ? {} : { target }),
  });
  return [
    { name: baseline, run: () => runNode(["-e", "0"], specs) },
    ...inSpecs.map((line, at) => command(line.split(" "), specs, at === 0 ? targets.find : undefined)),
    ...inLarge.map((args) => command(args[1] === "show" ? [...args, large.taskId(9_000)] : args, place)),
    command(["tasks", "next", large.specId], place, targets.next),
    {
      name: "tasks complete",
      run: () =>
        runNode([program, "tasks", "complete", large.specId, large.taskId(done++), "--note", "Done"], place),
      target: targets.complete,
    },
  ];
}

async function startCases(workspaces: Workspaces): Promise<readonly Case[]> {
  const place = placeIn(workspaces, await workspaces.withSpecs(26));
  const withoutCache: ProcessOptions = { ...place, env: { ...place.env, NODE_DISABLE_COMPILE_CACHE: "1" } };
  const find = ["specs", "find"];
  return [
    { name: baseline, run: () => runNode(["-e", "0"], place) },
    { name: "version", run: () => runNode([program, "version"], place) },
    { name: "specs find, 26 specs", run: () => runNode([program, ...find], place), target: targets.find },
    // The first run, which has no cached compiled code.
    {
      name: "specs find, nothing compiled before",
      run: () => runNode([program, ...find], withoutCache),
    },
    { name: "specs find, not bundled", run: () => runNode([unbundled, ...find], place) },
  ];
}

/**
 * Measures commands in the user's own environment. If that environment makes Node read certificates, Node
 * starts more slowly, and the relative overhead of a command is smaller.
 */
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
    { name: "specs find, 26 specs", run: () => runNode([program, "specs", "find"], specs) },
    {
      name: "tasks next, 10,000 tasks",
      run: () => runNode([program, "tasks", "next", specId], inShell(folder)),
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
      ...(size === 10_000 ? { target: targets.next } : {}),
    },
    {
      // Each call completes a different task, in the order of work, because a completed task cannot be completed
      // again.
      name: "tasks complete",
      run: () => {
        const task = changed.taskId(done);
        done += 1;
        return runNode([program, "tasks", "complete", changed.specId, task, "--note", "Done"], changedPlace);
      },
      ...(size === 10_000 ? { target: targets.complete } : {}),
    },
    { name: "validate check", run: () => runNode([program, "validate", "check", specId], place) },
  ];
}

/**
 * Returns a folder and an environment without the user's settings. The variable NODE_EXTRA_CA_CERTS alone
 * makes an empty Node program three times as slow, which would make every ratio look better. The home folder
 * contains the files that the program keeps for a user.
 */
function placeIn({ home }: Workspaces, cwd: string): ProcessOptions {
  return { cwd, env: { HOME: home } };
}
