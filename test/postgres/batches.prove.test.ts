import { expect, it } from "vitest";
import { raceForBatches, raceSpec, taskCount } from "../specs/batch-race.ts";
import { openStdioServer } from "../specs/programs.ts";
import { openDatabaseWorkspace } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent } from "./test-databases.ts";

describeConcurrent("batches of four stdio servers on one database", () => {
  it(`hand out each of ${taskCount} tasks once, and no file twice`, async () => {
    const database = await createTestDatabase();
    const workspace = await openDatabaseWorkspace(database.url);
    await workspace.add(raceSpec());
    const servers = await Promise.all(Array.from({ length: 4 }, () => openStdioServer(workspace.folder)));
    try {
      const shares = await raceForBatches(servers);
      process.stdout.write(
        `${shares.join("+")} of ${taskCount} tasks in batches, over stdio on PostgreSQL\n`,
      );
      expect(Math.min(...shares)).toBeGreaterThan(0);
    } finally {
      await Promise.all(servers.map((server) => server.close()));
      await workspace.close();
      await database.close();
    }
  });
});
