import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { measure, type RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { sampleSpec, writeSpec } from "./sample-specs.ts";
import type { WarmServer } from "./warm-server.ts";

const count = 300;
const looking = "readdir + stat of every file";

/** Measures a list of 300 specs, compared with one stat call per file, which is the minimum for a list. */
export async function measureList(server: WarmServer, options: RunOptions): Promise<Section> {
  for (let number = 0; number < count; number++) {
    const id = `listed-${number}`;
    await writeSpec(server.specs, id, sampleSpec(60, id));
  }
  const folder = join(server.specs, "active");
  const look = async () => Promise.all((await readdir(folder)).map((file) => stat(join(folder, file))));
  return {
    title: `list, ${count} specs`,
    result: await measure(
      [
        { name: looking, run: look },
        { name: "list, a page of 50", run: () => server.call("spec", { action: "list" }) },
        { name: "list, all 300", run: () => server.call("spec", { action: "list", limit: count }) },
      ],
      { baseline: looking, ...options },
    ),
  };
}
