import { randomBytes } from "node:crypto";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, resolveLinks, unlessMissing } from "@foundry-mcp/toolkit/files";
import { runProgram } from "../verify/run-program.ts";
import { DiffUnavailable } from "./diff-unavailable.ts";
import type { GitRepository } from "./git-repository.ts";

/** Runs git with arguments, and returns the bytes that git wrote to stdout. */
export type RunGit = (args: readonly string[], maxBytes: number) => Promise<Buffer>;

/** The program, and the limits that apply to all runs of the program together. */
export interface GitOptions {
  /** The absolute path of the program. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git in an empty repository that takes only the objects and the index from the user's repository. Git
 * then does not read the settings, hooks, attributes or remotes of the user's repository. A repository from
 * another person may name programs there, and no list of options disables all of them. The empty repository
 * is created in the folder for temporary files, and removed afterwards.
 */
export async function withIsolatedGit<T>(
  { program, timeoutMs, signal }: GitOptions,
  repository: GitRepository,
  work: (run: RunGit) => Promise<T>,
): Promise<T> {
  const root = resolveLinks(tmpdir()) ?? tmpdir();
  const folder = join(root, `foundry-git-${randomBytes(8).toString("hex")}`);
  const files = createWorkspaceFiles({
    root,
    privateFolder: ".",
    isPersonal: true,
    removable: [/foundry-git-[0-9a-f]{16}(?:\/(?:HEAD|config|refs))?/],
  });
  const texts = { HEAD: "ref: refs/heads/none\n", config: toConfig(repository) };
  const env = toEnvironment(repository, folder);
  const deadline = performance.now() + timeoutMs;
  const run: RunGit = async (args, maxBytes) => {
    const { ended, exitCode, output } = await runProgram({
      argv: [program, ...toShallowOption(repository), ...args],
      cwd: repository.root,
      timeoutMs: Math.max(1, deadline - performance.now()),
      maxBytes,
      keptBytes: maxBytes,
      env,
      discardErrors: true,
      signal,
    }).catch((error: unknown) => {
      if (isContractError(error) && error.code !== "CANCELLED")
        throw new DiffUnavailable("git cannot be run");
      throw error;
    });
    if (ended === "timeout") throw new DiffUnavailable("git took too long");
    if (ended === "flood") throw new DiffUnavailable("git wrote too much");
    if (exitCode !== 0) throw new DiffUnavailable("git cannot read the repository");
    return Buffer.from(output);
  };
  const create = async () => {
    await files.mkdir(folder, { mode: 0o700, exclusive: true });
    await files.mkdir(join(folder, "refs"), { mode: 0o700 });
    for (const [name, text] of Object.entries(texts))
      await files.append(join(folder, name), Buffer.from(text));
  };
  try {
    await create().catch(() => {
      throw new DiffUnavailable("the folder of temporary files cannot be written");
    });
    return await work(run);
  } finally {
    for (const name of Object.keys(texts)) await unlessMissing(files.unlink(join(folder, name)));
    await unlessMissing(files.rmdir(join(folder, "refs")));
    await unlessMissing(files.rmdir(folder));
  }
}

/**
 * Returns the git configuration. The configuration disables the indexes of objects, because such an index may
 * contradict the objects.
 */
function toConfig({ head }: GitRepository): string {
  const isSha256 = head?.length === 64;
  return [
    "[core]",
    `repositoryFormatVersion = ${isSha256 ? 1 : 0}`,
    "bare = false",
    "commitGraph = false",
    "multiPackIndex = false",
    ...(isSha256 ? ["[extensions]", "objectFormat = sha256"] : []),
    "",
  ].join("\n");
}

/** Returns the environment of git. No variable of this process is passed to git. */
function toEnvironment({ root, objects, index }: GitRepository, folder: string): Record<string, string> {
  return {
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_OBJECT_DIRECTORY: objects,
    // Without an index, git considers every file untracked.
    GIT_INDEX_FILE: index ?? join(folder, "index"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    HOME: folder,
    LC_ALL: "C",
  };
}

/**
 * Returns the option that names the file with the limits of a shallow clone. These limits are the only part
 * of the history that is not stored in objects.
 */
function toShallowOption({ shallow }: GitRepository): readonly string[] {
  return shallow === undefined ? [] : ["--shallow-file", shallow];
}
