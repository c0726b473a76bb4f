import { join } from "node:path";
import type { Context } from "@foundry-mcp/toolkit";
import { type ContentArchive, contentHashOf } from "@foundry-mcp/toolkit/archive";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { nodeFileSystem as fs } from "../../../files/durable/node-file-system.ts";
import { replaceFile } from "../../../files/durable/write-file.ts";

/** So many outputs are kept in files; the oldest go. */
const maxFiles = 50;

/** Where output is kept. */
export interface OutputKeeper {
  /** An archive, or a specs folder, in whose `.foundry/verify` there are files. */
  readonly outputs: () => Promise<ContentArchive | string>;
}

/** Where output that is kept can be had; nowhere where there was none. */
export interface OutputReference {
  /** `content(action="get", archive_id=…, content_id="/output")` gives it. */
  readonly archive_id?: string;
  /** From the specs folder. */
  readonly output_file?: string;
}

/** Keeps what a program wrote; the hash is that of all of it. Output that cannot be kept is a warning: its hash is known. */
export async function storeOutput(
  keeper: OutputKeeper,
  output: Uint8Array,
  hash: string,
  context: Context,
): Promise<OutputReference> {
  if (output.length === 0) return {};
  try {
    const place = await keeper.outputs();
    return typeof place === "string"
      ? await toFile(place, output, hash)
      : await toArchive(place, output, context);
  } catch (err) {
    context.logger.warn({ err }, "verification output");
    context.warn("The output could not be kept; its hash is recorded");
    return {};
  }
}

/** The archive holds payloads, so the output is a member of one. */
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
  const name = `${hash.replace(/^sha256:/, "")}.txt`;
  await createFolder(fs, folder);
  await replaceFile(fs, join(folder, name), [output], { root });
  await removeOldest(folder);
  return { output_file: `.foundry/verify/${name}` };
}

/** Others may be at the same: what is gone is gone. */
async function removeOldest(folder: string): Promise<void> {
  const names = (await fs.readdir(folder)).filter((name) => /^[0-9a-f]{64}\.txt$/.test(name));
  if (names.length <= maxFiles) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, stat: await unlessMissing(fs.lstat(join(folder, name))) })),
  );
  const oldest = files.toSorted((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0)).slice(maxFiles);
  for (const { name } of oldest) await unlessMissing(fs.unlink(join(folder, name)));
}
