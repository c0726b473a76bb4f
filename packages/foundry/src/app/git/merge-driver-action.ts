import { resolve } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { action, payload, rows } from "@foundry-mcp/toolkit";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import { createWorkspaceFiles, toFileError } from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { replaceFile } from "../../files/durable/write-file.ts";
import { maxBytes } from "../../specs/model/text-limits.ts";

interface MergeInput {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly path: string;
}

/** Creates the command with which git merges a spec file: `merge-driver %O %A %B %P`. */
export function mergeDriverAction(cwd: string) {
  return action({
    description: "Merge versions of a spec file field by field; git runs this command as a merge driver",
    input: () =>
      z.object({
        base: z.string().describe("File with the common ancestor version (%O of git)"),
        ours: z.string().describe("File with our version (%A of git); the result overwrites this file"),
        theirs: z.string().describe("File with the other version (%B of git)"),
        path: z.string().describe("Path of the merged file in the repository (%P of git)"),
      }),
    output: () => payload({ path: z.string(), renamed: rows({ from: z.string(), to: z.string() }) }),
    cli: { command: "merge-driver", arguments: ["base", "ours", "theirs", "path"] },
    examples: [
      {
        title: "Merge three versions of a spec file as git calls it",
        args: {
          base: "base.json",
          ours: "ours.json",
          theirs: "theirs.json",
          path: "specs/active/tides.json",
        },
      },
    ],
    run: (input) => mergeFiles(cwd, input),
  });
}

/**
 * Merges the files that git names, and overwrites our version with the result, which contains conflict markers if
 * necessary.
 */
async function mergeFiles(cwd: string, { base, ours, theirs, path }: MergeInput): Promise<object> {
  const { mergeSpecs } = await import("../../specs/model/merge/merge-specs.ts");
  // Git writes the three versions of the spec as files into the working tree.
  const files = createWorkspaceFiles({ root: cwd });
  const read = async (name: string) => {
    const { bytes } = await files.readFile(resolve(cwd, name), maxBytes).catch((error: unknown) => {
      throw toFileError(error, `read "${name}"`, name);
    });
    return bytes;
  };
  const { text, conflicts, problems, renamed } = mergeSpecs({
    base: await read(base),
    ours: await read(ours),
    theirs: await read(theirs),
  });
  await replaceFile(files, resolve(cwd, ours), [text]);
  const data = { path, renamed };
  if (conflicts.length + problems.length === 0) return data;
  const listed = conflicts.slice(0, 3).join(", ");
  const more = conflicts.length > 3 ? ` and ${conflicts.length - 3} more` : "";
  const why = problems[0] ?? `both sides changed ${listed}${more}`;
  throw new ContractError(`Cannot merge ${path}: ${why}`, {
    errorCode: "CONFLICT",
    remediation: `Keep one side of each conflict in ${path}, remove the marker lines, then stage it with {1}.`,
    remedy: { command: toShellCommand(["git", "add", "--", path]) },
    data: { ...data, conflicts: conflicts.slice(0, 100), problems },
  });
}
