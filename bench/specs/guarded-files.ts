import { readFileSync } from "node:fs";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorkspaceFiles, toTemporaryName } from "@foundry-mcp/toolkit/files";
import { type Case, measure, type RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { sampleSpec, writeSpec } from "./sample-specs.ts";

const sizes = [100, 1_000, 10_000];
const maxBytes = 100_000_000;
const line = Buffer.from(`${JSON.stringify({ type: "note", text: "Read and checked" })}\n`);

/**
 * Measures the cost of the guarded file access, which checks links, kind and size before a file is used, and its
 * identity afterwards. The baseline is the same work with the plain functions of Node.
 */
export async function measureGuardedFiles(specs: string, options: RunOptions): Promise<Section[]> {
  const compare = async (title: string, cases: readonly [Case, ...Case[]]): Promise<Section> => ({
    title,
    result: await measure(cases, { baseline: cases[0].name, ...options }),
  });
  const files = createWorkspaceFiles({ root: specs, privateFolder: ".foundry" });
  const reads: Section[] = [];
  for (const size of sizes) {
    const id = `guarded-${size}`;
    const path = await writeSpec(specs, id, sampleSpec(size, id));
    const section = await compare(`Reading the file of a spec of ${size.toLocaleString("en")} nodes`, [
      { name: "readFile", run: () => readFile(path) },
      { name: "readFileSync", run: async () => readFileSync(path) },
      { name: "guarded read", run: () => files.readFile(path, maxBytes) },
    ]);
    reads.push(section);
  }

  const log = join(specs, "active", "guarded.jsonl");
  await writeFile(log, "");
  const appending = await compare("Appending a line, made durable", [
    { name: "open, write, fsync, close", run: () => appendDurably(log) },
    { name: "guarded append", run: () => files.append(log, line, { sync: true }) },
  ]);

  const target = join(specs, "active", "guarded.txt");
  let drafts = 0;
  const draft = (): string => {
    const nonce = (drafts++).toString(16).padStart(16, "0");
    return join(specs, "active", toTemporaryName(target, { scope: "00000000", pid: process.pid }, nonce));
  };
  const replacing = await compare("Replacing a file, made durable", [
    {
      name: "open, write, fsync, close, rename",
      run: async () => {
        const path = draft();
        const file = await open(path, "wx");
        await file.write(line);
        await file.sync();
        await file.close();
        await rename(path, target);
      },
    },
    {
      name: "guarded replacement",
      run: async () => {
        const path = draft();
        const file = await files.create(path);
        await file.writev([line]);
        await file.sync();
        await file.close();
        await files.rename(path, target);
      },
    },
  ]);
  return [...reads, appending, replacing];
}

async function appendDurably(path: string): Promise<void> {
  const file = await open(path, "a");
  await file.write(line);
  await file.sync();
  await file.close();
}
