import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcessOptions, runProgram } from "./cli/run-node.ts";
import { type Case, measure } from "./measure.ts";
import { createBacklog } from "./peers/backlog.ts";
import { measureServers } from "./peers/calls.ts";
import { createFoundry, foundryCli } from "./peers/foundry.ts";
import { measureGateways } from "./peers/gateways.ts";
import { installPeers, type Peers } from "./peers/install-peers.ts";
import { createOpenSpec } from "./peers/openspec.ts";
import { raceWriters } from "./peers/races.ts";
import { createTaskMaster } from "./peers/task-master.ts";
import { countTokens } from "./peers/tokens.ts";
import type { Bench, Section } from "./report.ts";

const baseline = "node -e 0";
const sizes = [100, 1_000, 10_000];
/** The number of rounds for the largest projects, in which one command of a peer takes seconds. */
const fewRounds = 30;

/** Runs the same work with Foundry and with other programs. */
export const peers: Bench = {
  name: "peers",
  title: "the same work with Foundry and with other programs",
  run: async ({ quick = false }) => {
    const scratch = await mkdtemp(join(tmpdir(), "foundry-bench-peers-"));
    const installed = await installPeers([
      "backlog.md",
      "@fission-ai/openspec",
      "mcp-proxy",
      "task-master-ai",
    ]);
    for (const { peer, why } of installed.missing) console.log(`Not measured: ${peer}: ${why}`);
    try {
      const commands: Section[] = [];
      for (const size of quick ? sizes.slice(0, 2) : sizes) {
        const cases = await commandCases(installed, scratch, size);
        const rounds = quick ? 4 : fewRounds;
        const result = await measure(cases, { baseline, quick, rounds, sampleMs: 1 });
        commands.push({ title: `Commands on ${size.toLocaleString("en")} tasks`, result });
      }
      return [
        ...commands,
        {
          title: "Four servers, each with ten writes at the same time",
          result: await raceWriters(installed, join(scratch, "races")),
        },
        {
          title: "Tokens (o200k) that a model reads",
          result: await countTokens(installed, join(scratch, "tokens")),
        },
        ...(await measureServers({ quick })),
        ...(await measureGateways(installed, join(scratch, "home"), { quick })),
        ...(installed.missing.length === 0
          ? []
          : [{ title: "Not measured", result: { kind: "facts", rows: installed.missing } } as const]),
      ];
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

async function commandCases(installed: Peers, scratch: string, size: number): Promise<readonly Case[]> {
  const foundry = await createFoundry(scratch, size);
  const backlog = await createBacklog(installed, scratch, size);
  const openspec = await createOpenSpec(installed, scratch, size);
  const ours: ProcessOptions = { cwd: foundry.folder, env: foundry.env };
  const cases: Case[] = [];
  const add = (name: string, program: string, args: () => readonly string[], place: ProcessOptions) =>
    cases.push({ name, run: () => runProgram(program, args(), place) });
  const node = process.execPath;
  let done = 0;
  add(baseline, node, () => ["-e", "0"], ours);
  add("Foundry: list", node, () => [foundryCli, "tasks", "list", foundry.specId, "--limit", "50"], ours);
  add("Foundry: next", node, () => [foundryCli, "tasks", "next", foundry.specId], ours);
  // The tasks are completed in the order of work. In the smallest project, they are completed more than once.
  const complete = () => {
    const task = foundry.openTask(done++ % (size / 2));
    return [foundryCli, "tasks", "complete", foundry.specId, task, "--note", "Done"];
  };
  add("Foundry: complete", node, complete, ours);
  if (backlog !== undefined) {
    const { program, folder: cwd, env } = backlog;
    let edited = 0;
    add("Backlog.md: list", program, () => ["task", "list", "--plain"], { cwd, env });
    add("Backlog.md: next", program, () => ["task", "list", "--ready", "--limit", "1", "--json"], {
      cwd,
      env,
    });
    add(
      "Backlog.md: complete",
      program,
      () => ["task", "edit", String(size / 2 + 1 + (edited++ % (size / 2))), "-s", "Done"],
      { cwd, env },
    );
  }
  if (openspec !== undefined) {
    const { program, folder: cwd, env } = openspec;
    add("OpenSpec: list", program, () => ["list", "--json"], { cwd, env });
    add("OpenSpec: next", program, () => ["instructions", "apply", "--change", "bench", "--json"], {
      cwd,
      env,
    });
  }
  const taskMaster = await createTaskMaster(installed, scratch, size);
  if (taskMaster !== undefined) {
    const { program, folder: cwd, env } = taskMaster;
    let set = 0;
    add("Task Master: list", program, () => ["list", "--json"], { cwd, env });
    add("Task Master: next", program, () => ["next", "-f", "json"], { cwd, env });
    add(
      "Task Master: complete",
      program,
      () => ["set-status", `--id=${size / 2 + 1 + (set++ % (size / 2))}`, "--status=done"],
      { cwd, env },
    );
  }
  return cases;
}
