import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A git repository for a test, and a folder outside the repository. */
export interface TestRepository {
  readonly base: string;
  readonly folder: string;
  readonly outside: string;
  git(...args: readonly string[]): string;
  write(path: string, text: string | Uint8Array): void;
  /** Commits all changes with the given time, and returns the commit. */
  commit(at: string): string;
  remove(): void;
}

/** Creates a repository that does not use any settings of the user. */
export function createRepository(...initOptions: readonly string[]): TestRepository {
  const base = mkdtempSync(join(realpathSync(tmpdir()), "review-"));
  const [folder, outside] = [join(base, "repository"), join(base, "outside")];
  for (const each of [folder, outside]) mkdirSync(each);
  const run = (args: readonly string[], env: object = {}) => {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: base,
        GIT_CONFIG_NOSYSTEM: "1",
        ...Object.fromEntries(["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_NAME`, "someone"])),
        ...Object.fromEntries(["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_EMAIL`, "some@one"])),
        ...env,
      },
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  run(["init", "-q", "-b", "main", ...initOptions]);
  return {
    base,
    folder,
    outside,
    git: (...args) => run(args),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    commit(at) {
      run(["add", "-A"]);
      run(["commit", "-q", "-m", at], { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at });
      return run(["rev-parse", "HEAD"]);
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
