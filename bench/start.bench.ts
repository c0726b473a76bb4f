import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openWorkspaces } from "./cli/workspaces.ts";
import { type Case, measure } from "./measure.ts";
import { createBacklog } from "./peers/backlog.ts";
import { installPeers } from "./peers/install-peers.ts";
import type { Bench, FactRow } from "./report.ts";
import { installServer } from "./start/install-server.ts";
import { type ServerProgram, startServer } from "./start/started-server.ts";

const baseline = "a server on the bare SDK";
/** The time in milliseconds after which a server is idle. */
const idleMs = 1_500;

/** Measures the start of a server: from the start of the process to the answer to `tools/list`. */
export const start: Bench = {
  name: "start",
  title: "a server over stdio from its start to its tools, in an empty environment",
  run: async (options) => {
    const workspaces = await openWorkspaces();
    const scratch = await mkdtemp(join(tmpdir(), "foundry-bench-start-"));
    const peers = await installPeers(["backlog.md"]);
    for (const { peer, why } of peers.missing) console.log(`Not measured: ${peer}: ${why}`);
    try {
      const env = { HOME: workspaces.home };
      const folder = await workspaces.withSpecs(26);
      const node = (path: string): ServerProgram => ({
        ...{ command: process.execPath, args: [resolve(path)], cwd: folder, env },
      });
      const first = node("packages/foundry/dist/bin/foundry-mcp.cjs");
      const backlog = await createBacklog(peers, scratch, 26);
      const programs: readonly (readonly [name: string, program: ServerProgram, target?: number])[] = [
        [baseline, node(".build/bench/toolkit/bare-stdio.js")],
        ["foundry-mcp", node("packages/foundry/dist/bin/foundry-mcp.cjs"), 1],
        [
          "foundry-mcp, nothing compiled before",
          { ...first, env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } },
        ],
        ["a server on the toolkit (examples/02)", node(await installServer(scratch)), 1.15],
        ["a server on the toolkit, in this repository", node(".build/examples/02-server/server.js")],
        ["a server on fastmcp", node(".build/bench/toolkit/fastmcp-stdio.js")],
        ...(backlog === undefined ? [] : [["Backlog.md", backlog.server] as const]),
      ];
      // Like a client, this ends a server by closing its stdin, at which a server keeps its compiled code.
      for (const [, program] of programs)
        for (let run = 0; run < 2; run++) await (await startServer(program)).end();
      const cases = programs.map(([name, program, target]): Case => {
        const run = async () => {
          const server = await startServer(program);
          await server.close();
          return server.tools.length;
        };
        return { name, run, ...(target === undefined ? {} : { target }) };
      });
      const result = await measure(cases, { baseline, ...options });
      const rows: FactRow[] = [];
      for (const [name, program] of programs)
        rows.push({ server: name, "RSS, MB": await idleMemory(program) });
      return [
        { title: "From the start of the process to the answer to tools/list", result },
        { title: "Resident memory of the idle server", result: { kind: "facts", rows } },
      ];
    } finally {
      await workspaces.close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

async function idleMemory(program: ServerProgram): Promise<number> {
  const server = await startServer(program);
  await pause(idleMs);
  const bytes = await server.memory();
  await server.close();
  return bytes / 1e6;
}
