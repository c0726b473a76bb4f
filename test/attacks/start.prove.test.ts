import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { attacksOn } from "./attacks.ts";
import { snapshot } from "./run-attack.ts";
import { createSampleRepository, outsideWord } from "./sample-repository.ts";
import { openHttpSurface, openStdioSurface, type Surface } from "./surfaces.ts";

const repository = await createSampleRepository();
afterAll(() => repository.remove());

const place = { cwd: repository.folder, home: repository.home };
const surfaces = { stdio: () => openStdioSurface(place), HTTP: () => openHttpSurface(place) };

/** The files that a server reads when it starts. */
const targets = repository.targets.filter(({ path }) =>
  ["foundry.toml", "flags.json", ".mcp.json", "specs", "specs/active", "specs/.foundry"].includes(path),
);

/**
 * Starts a server and requests the specs and settings that it has read. If the server refuses to start, returns its
 * error.
 */
async function startOnce(open: () => Promise<Surface>): Promise<string> {
  let surface: Surface;
  try {
    surface = await open();
  } catch (err) {
    return (err as Error).message;
  }
  try {
    const specs = await surface.call({ tool: "spec", args: { action: "list" } });
    const flags = await surface.call({ tool: "server", args: { action: "flags" } });
    return (await surface.end()) ? `${specs.text}\n${flags.text}` : "it ignored SIGTERM";
  } finally {
    await surface.kill();
  }
}

describe.each(Object.entries(surfaces))("a server over %s", (name, open) => {
  it.each(targets)("starts, or says why not, where $path is hostile", async (target) => {
    const faults: string[] = [];
    for (const attack of attacksOn(target)) {
      const report = (what: string) => faults.push(`${target.path} is ${attack.name}, ${name}: ${what}`);
      repository.restore();
      await attack.place(join(repository.folder, target.path), repository);
      const before = snapshot(repository);
      const said = await startOnce(open);
      if (/no answer within|ignored SIGTERM|INTERNAL_ERROR|at .*\(.*:\d+:\d+\)/.test(said))
        report(said.slice(0, 500));
      if (said.includes(outsideWord)) report(`it tells the text of a file outside: ${said.slice(0, 500)}`);
      if (said.includes(repository.outside)) report(`it tells a path outside: ${said.slice(0, 500)}`);
      for (const [path, line] of snapshot(repository))
        if (before.get(path) !== line) report(`${path} outside was changed`);
    }
    expect(faults).toEqual([]);
  });
});
