import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, cliScript, runProgram } from "./programs.ts";

/** Two users, each with a separate group, and a group with both users. */
const ann = 20_001;
const bob = 20_002;
const team = 20_100;

const asUser = (uid: number, umask = "022") => [
  ...["setpriv", `--reuid=${uid}`, `--regid=${uid}`, `--groups=${team}`, "--"],
  ...["sh", "-c", `umask ${umask}; exec "$@"`, "sh"],
];

/** Returns the reason why this machine cannot run tests with two users, or undefined if it can. */
async function findObstacle(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "only root can run programs as other users";
  const run = await runProgram([process.execPath, cliScript, "--version"], {
    cwd: "/",
    wrap: asUser(ann),
  }).catch((err: unknown) => ({ code: 1, stdout: "", stderr: String(err) }));
  return run.code === 0 ? undefined : `another user cannot run the program: ${run.stderr.slice(0, 200)}`;
}

const obstacle = await findObstacle();
if (obstacle !== undefined) process.stdout.write(`Not tried, two users in one folder: ${obstacle}\n`);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shared-"));
  chmodSync(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates a workspace with an owner, a group and a mode. */
function makeWorkspace(uid: number, gid: number, mode: number): string {
  const path = join(folder, "work");
  mkdirSync(path);
  chownSync(path, uid, gid);
  chmodSync(path, mode);
  const specs = join(path, "specs");
  mkdirSync(specs);
  chownSync(specs, uid, gid);
  chmodSync(specs, mode);
  return path;
}

/** Runs a command as one of the users, with a separate home folder for each user. */
async function call(cwd: string, uid: number, argv: readonly string[], umask?: string): Promise<Envelope> {
  const home = join(folder, `home-${uid}`);
  mkdirSync(home, { recursive: true });
  chownSync(home, uid, uid);
  const env = { HOME: home, XDG_CACHE_HOME: join(home, ".cache"), XDG_CONFIG_HOME: join(home, ".config") };
  return callCli(argv, { cwd, env, wrap: asUser(uid, umask) });
}

/** Returns the path, the permissions and the group of everything below a folder. */
function permissionsBelow(path: string, name = ""): readonly (readonly [string, string, number])[] {
  return readdirSync(join(path, name)).flatMap((each) => {
    const child = join(name, each);
    const stat = lstatSync(join(path, child));
    const isFolder = stat.isDirectory();
    const entry = [`${child}${isFolder ? "/" : ""}`, (stat.mode & 0o7777).toString(8), stat.gid] as const;
    return isFolder ? [entry, ...permissionsBelow(path, child)] : [entry];
  });
}

const note = (id: string, content: string) => [
  "journal",
  "add",
  id,
  "--title",
  "A note",
  "--content",
  content,
];
const idOf = ({ data }: Envelope) => (data as { spec_id: string }).spec_id;
const revisionOf = ({ data }: Envelope) => (data as { revision: string }).revision;

describe.skipIf(obstacle !== undefined)("two users", () => {
  it.each(["022", "077"])(
    "share a group folder, with umask %s",
    async (umask) => {
      const cwd = makeWorkspace(ann, team, 0o2775);
      const id = idOf(await call(cwd, ann, ["specs", "create", "Shared"], umask));
      const counters: string[] = [];
      for (const uid of [ann, bob, ann, bob])
        counters.push(revisionOf(await call(cwd, uid, note(id, `By ${uid}`), umask)).split("-")[0] ?? "");
      expect(counters).toEqual(["2", "3", "4", "5"]);
      for (const uid of [bob, ann])
        expect(await call(cwd, uid, ["specs", "get", id, "--max-tokens", "300"], umask)).toMatchObject({
          success: true,
          meta: { content_fidelity: expect.anything() },
        });
      expect((await call(cwd, bob, ["lifecycle", "activate", id], umask)).success).toBe(true);
      expect((await call(cwd, ann, ["specs", "rollback", id, "x", "--confirm"], umask)).data).toMatchObject({
        error_code: "NOT_FOUND",
      });
      const all = permissionsBelow(join(cwd, "specs"));
      expect(all.length).toBeGreaterThan(12);
      const isOpen = ([path, mode, gid]: readonly [string, string, number]) =>
        gid === team && (path.endsWith("/") ? /^2.7.$/ : /^6[67].$/).test(mode);
      expect(all.filter((entry) => !isOpen(entry))).toEqual([]);
      // Other users cannot access the cache of a user.
      const own = permissionsBelow(join(folder, `home-${bob}`)).filter(([path]) =>
        path.startsWith(".cache/foundry"),
      );
      expect(own.filter(([, mode]) => !/^[67]00$/.test(mode))).toEqual([]);
    },
    600_000,
  );

  it("are told how to share a folder that one of them cannot write, and it works", async () => {
    const cwd = makeWorkspace(ann, ann, 0o755);
    const id = idOf(await call(cwd, ann, ["specs", "create", "Mine"]));
    expect((await call(cwd, bob, ["specs", "get", id])).success).toBe(true);
    const refused = await call(cwd, bob, note(id, "By Bob"));
    const share = "chgrp -R GROUP specs && chmod -R g+rwX specs && find specs -type d -exec chmod g+s {} +";
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Cannot .*: permission is denied$/),
      data: {
        error_code: "FORBIDDEN",
        remediation: `Run as the owner of the folder, or let its owner share it with a group that you are in: ${share}`,
      },
    });
    const shared = await runProgram(["sh", "-c", share.replace("GROUP", String(team))], {
      cwd,
      wrap: asUser(ann),
    });
    expect(shared).toMatchObject({ code: 0 });
    for (const uid of [bob, ann]) expect((await call(cwd, uid, note(id, `By ${uid}`))).success).toBe(true);
  }, 600_000);

  it("keep what is private private, and the mode and the group of a file", async () => {
    const cwd = makeWorkspace(ann, ann, 0o700);
    const id = idOf(await call(cwd, ann, ["specs", "create", "Secret"]));
    await call(cwd, ann, note(id, "By Ann"));
    const open = permissionsBelow(cwd).filter(([, mode]) => !mode.endsWith("00"));
    expect(open).toEqual([]);
    const file = join(cwd, "specs/pending", `${id}.json`);
    chownSync(file, ann, team);
    chmodSync(file, 0o640);
    await call(cwd, ann, note(id, "Again"));
    const { mode, gid } = lstatSync(file);
    expect([(mode & 0o7777).toString(8), gid]).toEqual(["640", team]);
  }, 600_000);
});
