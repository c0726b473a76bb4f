import { join } from "node:path";
import type { Context } from "@foundry-mcp/toolkit";
import { type ContentArchive, contentHashOf } from "@foundry-mcp/toolkit/archive";
import { createWorkspaceFiles, type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { replaceFile } from "../../../files/durable/write-file.ts";

/** The maximum number of output files. If there are more files, the oldest files are removed. */
const maxFiles = 50;

/**
 * Returns the store of outputs, which is an archive or the path of a specs folder. In a specs folder, outputs
 * are files in `.foundry/verify`.
 */
export type OpenOutputs = () => Promise<ContentArchive | string>;

/** The address of stored output. The address has no members if there was no output. */
export interface OutputReference {
  /** The archive id for the call `content(action="get", archive_id=…, content_id="/output")`. */
  readonly archive_id?: string;
  /** The path of the file, relative to the specs folder. */
  readonly output_file?: string;
}

/**
 * Stores the output of a program under the hash of the whole output. A failure only adds a warning, because
 * the hash is recorded in any case.
 */
export async function storeOutput(
  openOutputs: OpenOutputs,
  output: Uint8Array,
  hash: string,
  context: Context,
): Promise<OutputReference> {
  if (output.length === 0) return {};
  try {
    const outputs = await openOutputs();
    return typeof outputs === "string"
      ? await toFile(outputs, output, hash)
      : await toArchive(outputs, output, context);
  } catch (err) {
    context.logger.warn({ err }, "verification output");
    context.warn("The output could not be stored; its hash is recorded");
    return {};
  }
}

/** Stores output in an archive. An archive stores payloads, so the output becomes a member of a payload. */
async function toArchive(
  archive: ContentArchive,
  output: Uint8Array,
  { principal, tool, action, requestId }: Context,
): Promise<OutputReference> {
  const bytes = Buffer.from(JSON.stringify({ output: Buffer.from(output).toString("utf8") }));
  const content = { principal, bytes, hash: contentHashOf(bytes), tool, action, requestId, contentIds: [] };
  return { archive_id: (await archive.put(content)).archiveId };
}

async function toFile(root: string, output: Uint8Array, hash: string): Promise<OutputReference> {
  const folder = join(root, ".foundry", "verify");
  const fs = createWorkspaceFiles({
    root,
    privateFolder: ".foundry",
    removable: [/\.foundry\/verify\/[0-9a-f]{64}\.txt/],
  });
  const name = `${hash.replace(/^sha256:/, "")}.txt`;
  await createFolder(fs, folder);
  await replaceFile(fs, join(folder, name), [output], { root });
  await removeOldest(fs, folder);
  return { output_file: `.foundry/verify/${name}` };
}

/** Removes the oldest files. Other processes may remove the same files, so missing files are ignored. */
async function removeOldest(fs: FileSystem, folder: string): Promise<void> {
  const names = (await fs.readdir(folder)).filter((name) => /^[0-9a-f]{64}\.txt$/.test(name));
  if (names.length <= maxFiles) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, stat: await unlessMissing(fs.lstat(join(folder, name))) })),
  );
  const oldest = files.toSorted((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0)).slice(maxFiles);
  for (const { name } of oldest) await unlessMissing(fs.unlink(join(folder, name)));
}
