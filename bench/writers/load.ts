import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createHttpClient } from "../postgres/http-client.ts";
import { type ServerProcess, startServer } from "../postgres/server-process.ts";
import { sampleSpec, taskIdOf, tasksOf, writeSpec } from "../specs/sample-specs.ts";

/** The number of nodes of the spec that all clients share: 2,000 tasks, ten phases and the root. */
const nodes = 2_011;

/** The latencies of the calls of one sample, in milliseconds. */
export interface LoadSample {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
  /** The time from the first call to the last answer to a change, in milliseconds. */
  readonly ms: number;
}

/** The number of clients of each kind. Every client keeps one call in flight. */
export interface Load {
  readonly writers: number;
  readonly readers: number;
  /** The number of changes that each writer makes. */
  readonly changes: number;
}

/** A server over HTTP for a separate workspace on files. */
export interface LoadedServer {
  /** Puts a load on a new spec. Throws if a call fails, so that failures are not measured. */
  run(load: Load): Promise<LoadSample>;
  close(): Promise<void>;
}

/** Starts a server. `program` is the program of another version; the default is the program of this checkout. */
export async function openLoadedServer(folder: string, program?: string): Promise<LoadedServer> {
  const specs = join(folder, "specs");
  await writeSpec(specs, "first", sampleSpec(20, "first"));
  const server: ServerProcess = await startServer({ name: "file", folder, env: {} }, program);
  const http = createHttpClient(server.origin);
  let samples = 0;
  return {
    async run({ writers, readers, changes }) {
      const id = `shared-${++samples}`;
      const path = await writeSpec(specs, id, sampleSpec(nodes, id, false));
      const tasks = tasksWithoutDependencies();
      const complete = () =>
        http.call("task", { action: "complete", spec_id: id, task_id: tasks.next().value, note: "Done" });
      // The first change indexes the text of the spec, which happens once for each spec and process.
      await complete();
      const [writes, reads]: [number[], number[]] = [[], []];
      let isOver = false;
      const start = performance.now();
      const reading = repeat(readers, async () => {
        while (!isOver) reads.push(await timed(() => http.call("task", { action: "next", spec_id: id })));
      });
      await repeat(writers, async () => {
        for (let left = changes; left > 0; left--) writes.push(await timed(complete));
      });
      const ms = performance.now() - start;
      isOver = true;
      await reading;
      await rm(path);
      return { writes, reads, ms };
    },
    async close() {
      http.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Yields the tasks that no other task waits for and that wait for no other task. */
function* tasksWithoutDependencies(): Generator<string, undefined> {
  for (let place = 0; place < tasksOf(nodes); place++) if (place % 10 < 8) yield taskIdOf(nodes, place);
  throw new Error("All tasks of the spec are used up.");
}

async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
