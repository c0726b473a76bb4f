import { dirname, join, relative, sep } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, findKind, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFile, replaceFile } from "../../files/durable/write-file.ts";
import { findProgram } from "../../files/find-program.ts";
import { programName } from "../../program/program-name.ts";
import { runProgram } from "../../specs/verify/run-program.ts";
import type { PlannedFile } from "../agents/planned-file.ts";

const driver = "foundry-spec";
const attributesFile = ".gitattributes";
const maxBytes = 2 ** 20;

/**
 * The configuration that git needs to merge spec files: a line in `.gitattributes`, and two settings of the repository.
 */
export interface MergeSetup {
  readonly attributes: string;
  readonly config: readonly (readonly [key: string, value: string])[];
}

/** Returns the setup of the merge driver for a specs folder. */
export function mergeSetup(folder: string, specs: string): MergeSetup {
  const below = relative(folder, specs).split(sep).join("/");
  return {
    attributes: `${below}/**/*.json merge=${driver}`,
    config: [
      [`merge.${driver}.name`, "Merge spec files field by field"],
      [`merge.${driver}.driver`, `${programName} merge-driver %O %A %B %P`],
    ],
  };
}

/** Formats the setup as the shell commands that a person would type. */
export function toShellLines({ attributes, config }: MergeSetup): readonly string[] {
  return [
    `echo '${attributes}' >> ${attributesFile}`,
    ...config.map(([key, value]) => `git config ${key} '${value}'`),
  ];
}

/** True if a folder or a folder above it is a git repository or a worktree of one. */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (findKind(join(at, ".git")) !== undefined) return true;
    if (at === dirname(at)) return false;
  }
}

/** Plans the line in `.gitattributes`. The line is appended to an existing file. */
export async function planAttributes(folder: string, { attributes }: MergeSetup): Promise<PlannedFile> {
  const files = createWorkspaceFiles({ root: folder });
  const at = join(folder, attributesFile);
  const file = await unlessMissing(files.readFile(at, maxBytes)).catch((error: unknown) => {
    throw toFileError(error, `read "${attributesFile}"`, attributesFile);
  });
  const line = Buffer.from(`${attributes}\n`);
  if (file === undefined)
    return { path: attributesFile, change: "create", write: () => createFile(files, at, [line]) };
  const lines = file.bytes.toString().split(/\r?\n/);
  if (lines.includes(attributes)) return { path: attributesFile, change: "keep", write: async () => {} };
  const gap = Buffer.from(file.bytes.length === 0 || file.bytes.at(-1) === 0x0a ? "" : "\n");
  return {
    path: attributesFile,
    change: "add",
    write: () => replaceFile(files, at, [file.bytes, gap, line]),
  };
}

/** Sets the driver in the configuration of the repository, which is not part of commits. */
export async function configureDriver(folder: string, { config }: MergeSetup): Promise<void> {
  const git = findProgram("git", { path: process.env["PATH"], workspace: folder });
  for (const [key, value] of config) {
    const run =
      git === undefined
        ? undefined
        : await runProgram({
            argv: [git, "config", "--local", key, value],
            cwd: folder,
            // The environment contains only what git needs to find the user's configuration. Variables about the
            // repository of the calling process are left out.
            env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" },
            timeoutMs: 10_000,
            maxBytes: 10_000,
            keptBytes: 10_000,
          });
    if (run?.exitCode !== 0)
      throw new ContractError(
        `Cannot set up the merge driver: ${git === undefined ? "git is not installed" : `git config ${key} failed`}`,
        {
          errorCode: "UNAVAILABLE",
          remediation: "Go into a git repository, see that git runs, and call {1} again.",
          remedy: { command: `${programName} init --git` },
        },
      );
  }
}
