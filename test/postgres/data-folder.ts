import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheHome } from "../bins.ts";
import { serverEnvironment, serverUser } from "./server-user.ts";

const run = promisify(execFile);

const defaultOptions = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];

/**
 * Creates the data folder of a cluster in `folder`. If there is a cached template, the template is copied, which
 * takes a tenth of the time.
 */
export async function createDataFolder(bin: string, folder: string, more: readonly string[] = []) {
  const data = join(folder, "data");
  const options = [...defaultOptions, ...more];
  const template = await templateOf(bin, options);
  if (existsSync(template)) {
    // cp -a preserves owners and modes, without which PostgreSQL refuses a folder.
    await run("cp", ["-a", template, data]);
    return data;
  }
  const user = { ...serverUser, cwd: folder, env: serverEnvironment(folder) };
  await run(join(bin, "initdb"), ["-D", data, ...options], user);
  await saveTemplate(data, template);
  return data;
}

/** Returns the path of the template for these programs, this user and these options. */
async function templateOf(bin: string, options: readonly string[]): Promise<string> {
  const { mtimeMs, size } = await stat(join(bin, "postgres"));
  const made = JSON.stringify([bin, mtimeMs, size, serverUser.uid ?? process.getuid?.(), options]);
  return join(cacheHome, `postgres-${createHash("sha256").update(made).digest("hex").slice(0, 16)}`);
}

/** Saves a template. If several runs save it concurrently, the first template is kept. */
async function saveTemplate(data: string, template: string): Promise<void> {
  const temporary = `${template}.${randomUUID()}`;
  try {
    await mkdir(cacheHome, { recursive: true });
    await run("cp", ["-a", data, temporary]);
    await rename(temporary, template);
  } catch {
    // Without a template, the next start takes a second longer. This start need not fail.
    await rm(temporary, { recursive: true, force: true });
  }
}
