import type { Facts } from "../report.ts";
import { type ServerProgram, startServer } from "../start/started-server.ts";
import { createBacklog } from "./backlog.ts";
import { createFoundry } from "./foundry.ts";
import type { Peers } from "./install-peers.ts";

const servers = 4;
const writes = 10;
const tasks = 200;

interface Racer {
  readonly name: string;
  readonly server: ServerProgram;
  /** Returns the call that completes one of the open tasks. */
  readonly complete: (place: number) => readonly [tool: string, input: Readonly<Record<string, unknown>>];
  countDone(): Promise<number>;
}

/** Lets several servers on one project complete different tasks at the same time, and counts what is on disk. */
export async function raceWriters(peers: Peers, scratch: string): Promise<Facts> {
  const foundry = await createFoundry(scratch, tasks);
  const backlog = await createBacklog(peers, scratch, tasks);
  // Tasks that wait for others cannot be completed, so only tasks without dependencies take part.
  const free = Array.from({ length: tasks / 2 }, (_, place) => place).filter((place) => place % 10 < 8);
  const racers: Racer[] = [
    {
      name: "Foundry",
      server: foundry.server,
      complete: (place) => [
        "task",
        {
          action: "complete",
          spec_id: foundry.specId,
          task_id: foundry.openTask(free[place] as number),
          note: "Done",
        },
      ],
      countDone: () => foundry.countDone(),
    },
  ];
  if (backlog !== undefined)
    racers.push({
      name: "Backlog.md",
      server: backlog.server,
      complete: (place) => [
        "task_edit",
        { id: `TASK-${tasks / 2 + 1 + (free[place] as number)}`, status: "Done" },
      ],
      countDone: () => backlog.countDone(),
    });
  const rows = [];
  for (const racer of racers) rows.push(await race(racer));
  return { kind: "facts", rows };
}

async function race({ name, server, complete, countDone }: Racer) {
  const before = await countDone();
  const started = await Promise.all(Array.from({ length: servers }, () => startServer(server)));
  try {
    const begin = performance.now();
    const answers = await Promise.allSettled(
      started.flatMap((each, at) =>
        Array.from({ length: writes }, (_, write) => each.call(...complete(at * writes + write))),
      ),
    );
    const ms = performance.now() - begin;
    const acknowledged = answers.filter(
      (answer) => answer.status === "fulfilled" && answer.value["isError"] !== true,
    ).length;
    const kept = (await countDone()) - before;
    return { program: name, sent: servers * writes, acknowledged, kept, lost: acknowledged - kept, ms };
  } finally {
    await Promise.all(started.map((each) => each.close()));
  }
}
