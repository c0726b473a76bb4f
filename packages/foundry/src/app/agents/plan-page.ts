import { dirname, join } from "node:path";
import { createWorkspaceFiles, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFile, replaceFile } from "../../files/durable/write-file.ts";
import type { PagePlace } from "./agent-clients.ts";
import { agentPage } from "./agent-page.ts";
import type { PlannedFile } from "./planned-file.ts";

const start = "<!-- foundry-mcp:start -->";
const end = "<!-- foundry-mcp:end -->";
const maxBytes = 10 * 2 ** 20;

const skillHeader = `---
name: foundry
description: Plan work as specs and do tasks one after the other with the foundry-mcp tools. Use it when there is a folder specs/, or when somebody asks for a plan, the next task or the state of the work.
---

`;

/**
 * Plans the page for an agent. In a file that contains other text too, only the lines between the two comments of
 * Foundry are changed.
 */
export async function planPage(folder: string, { path, form }: PagePlace): Promise<PlannedFile> {
  const files = createWorkspaceFiles({ root: folder });
  const at = join(folder, path);
  const file = await unlessMissing(files.readFile(at, maxBytes)).catch((err: unknown) => {
    throw toFileError(err, `read "${path}"`, path);
  });
  const text = form === "skill" ? `${skillHeader}${agentPage}` : `${start}\n${agentPage}${end}\n`;
  if (file === undefined) {
    return {
      path,
      change: "create",
      write: async () => {
        await files.mkdir(dirname(at));
        await createFile(files, at, [Buffer.from(text)]);
      },
    };
  }
  // Bytes that are not valid UTF-8 are preserved, because only the text between the comments is decoded.
  const { bytes } = file;
  const [from, to] = form === "skill" ? [0, bytes.length] : findSection(bytes);
  const current = bytes.subarray(from, to).toString();
  if (current === text) return { path, change: "keep", write: async () => {} };
  const write = () =>
    replaceFile(files, at, [bytes.subarray(0, from), Buffer.from(text), bytes.subarray(to)]);
  if (current === "") {
    const gap = bytes.length === 0 ? "" : bytes.at(-1) === 0x0a ? "\n" : "\n\n";
    return { path, change: "add", write: () => replaceFile(files, at, [bytes, Buffer.from(gap + text)]) };
  }
  return {
    path,
    change: "replace",
    removed: linesOnlyIn(current, text),
    added: linesOnlyIn(text, current),
    write,
  };
}

/**
 * Returns the start and end of Foundry's section. If there is no section, start and end are both the end of the file.
 */
function findSection(bytes: Buffer): readonly [number, number] {
  const from = bytes.indexOf(start);
  const last = from === -1 ? -1 : bytes.indexOf(end, from);
  if (last === -1) return [bytes.length, bytes.length];
  const to = last + end.length;
  return [from, bytes[to] === 0x0a ? to + 1 : to];
}

function linesOnlyIn(text: string, other: string): readonly string[] {
  const others = new Set(other.split("\n"));
  return text.split("\n").filter((line) => !others.has(line));
}
