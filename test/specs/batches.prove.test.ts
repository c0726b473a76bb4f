import { expect, it } from "vitest";
import { raceForBatches, raceSpec, taskCount } from "./batch-race.ts";
import { openStdioServer } from "./programs.ts";
import { createWorkspace } from "./workspace.ts";

it(`hand out each of ${taskCount} tasks once, through four stdio servers on one folder, and no file twice`, async () => {
  const workspace = await createWorkspace();
  await workspace.write("active/race.json", raceSpec());
  const servers = await Promise.all(Array.from({ length: 4 }, () => openStdioServer(workspace.folder)));
  try {
    const shares = await raceForBatches(servers);
    process.stdout.write(`${shares.join("+")} of ${taskCount} tasks in batches, over stdio on files\n`);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await workspace.remove();
  }
});
