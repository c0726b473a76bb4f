import { open, readFile, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { growth, measure, type RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { sampleSpec, taskIdOf, writeSpec } from "./sample-specs.ts";
import type { WarmServer } from "./warm-server.ts";

const sizes = [100, 1_000, 10_000];
/**
 * The time of a sample is so short that a sample consists of one call. Every call completes another task, and
 * the number of tasks is limited.
 */
const sampleMs = 1;

const writing = "write, fsync, rename, fsync folder";

/** Measures completing tasks one after another, compared with writing the same bytes equally durably. */
export async function measureComplete(server: WarmServer, options: RunOptions): Promise<Section> {
  const toCases = async (size: number) => {
    const id = `complete-${size}`;
    const path = await writeSpec(server.specs, id, sampleSpec(size, id, false));
    const bytes = await readFile(path);
    let place = 0;
    return [
      { name: writing, run: () => writeDurably(join(dirname(path), `.${id}.draft`), bytes) },
      {
        name: "complete",
        run: () =>
          server.call("task", {
            action: "complete",
            spec_id: id,
            task_id: taskIdOf(size, place++),
            note: "Read and checked",
          }),
      },
    ];
  };
  return {
    title: "complete, each time another task, against writing the same bytes",
    result: await growth(sizes, toCases, { baseline: writing, ...options, sampleMs }),
  };
}

const parsing = "readFile + JSON.parse";

/**
 * Measures a validation, and a read after another program has changed the file. Both measurements are
 * compared with reading and parsing the file.
 */
export async function measureWhole(server: WarmServer, options: RunOptions): Promise<Section[]> {
  const toCases = async (size: number, hasValidate = true) => {
    const id = `whole-${size}`;
    const path = await writeSpec(server.specs, id, sampleSpec(size, id));
    let time = 1_700_000_000;
    const validate = {
      name: "validate",
      run: () => server.call("spec", { action: "validate", spec_id: id }),
    };
    return [
      { name: parsing, run: async () => JSON.parse(await readFile(path, "utf8")) as unknown },
      {
        name: "next, after another process changed the file",
        run: async () => {
          await utimes(path, time, time++);
          return server.call("task", { action: "next", spec_id: id });
        },
      },
      ...(hasValidate ? [validate] : []),
    ];
  };
  const most = 100_000;
  return [
    {
      title: "The whole spec",
      result: await growth(sizes, toCases, { baseline: parsing, ...options }),
    },
    {
      title: `The whole spec, ${most.toLocaleString("en")} nodes`,
      result: await measure(await toCases(most, false), {
        baseline: parsing,
        ...options,
        ...(options.quick ? { rounds: 3 } : { rounds: 30 }),
      }),
    },
  ];
}

/** Performs the writes that every change of a file needs in order to survive a crash. */
async function writeDurably(draft: string, bytes: Uint8Array): Promise<void> {
  const file = await open(draft, "wx");
  await file.write(bytes);
  await file.sync();
  await file.close();
  await rename(draft, `${draft}.done`);
  const folder = await open(dirname(draft), "r");
  await folder.sync();
  await folder.close();
  await rm(`${draft}.done`);
}
