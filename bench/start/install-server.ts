import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readManifest } from "../../scripts/publish/manifest.ts";
import { stagePackages } from "../../scripts/publish/stage-packages.ts";

/**
 * Installs the packages in the form in which they are published, and next to them the server of examples/02. In this
 * repository, Node loads hundreds of modules; an author's server loads the published files. Returns the path of the
 * server.
 */
export async function installServer(scratch: string): Promise<string> {
  const folder = join(scratch, "installed");
  const modules = join(folder, "node_modules");
  const needed = new Set<string>();
  for (const staged of await stagePackages(join(scratch, "staged"))) {
    const { name, dependencies = {} } = readManifest(staged);
    await cp(staged, join(modules, name), { recursive: true });
    for (const each of Object.keys(dependencies)) if (!each.startsWith("@foundry-mcp/")) needed.add(each);
  }
  for (const name of needed) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve("node_modules", name), join(modules, name), "dir");
  }
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const server = join(folder, "server.js");
  await cp(resolve(".build/examples/02-server/server.js"), server);
  return server;
}
