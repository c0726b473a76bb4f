import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../files/durable/write-file.ts";
import type { UpstreamTool } from "../upstream/definitions.ts";

/** Whether a tool has the definition that was approved. */
export type Approval = "approved" | "changed" | "new";

/** The file of approved tools, and the functions to access it. */
export interface ApprovalsFile {
  readonly path: string;
  readonly files: FileSystem;
}

const format = 1;
const maxBytes = 16 * 2 ** 20;

/** The hashes of the definitions that somebody approved, by the server and the name of the tool. */
export class ApprovedTools {
  readonly #hashes: ReadonlyMap<string, string>;

  private constructor(hashes: ReadonlyMap<string, string>) {
    this.#hashes = hashes;
  }

  /** Reads the file. A file that is invalid is refused, because nothing must be approved by accident. */
  static async open({ path, files }: ApprovalsFile): Promise<ApprovedTools> {
    const read = await files.readFile(path, maxBytes).catch(() => undefined);
    return new ApprovedTools(read === undefined ? new Map() : parse(read.bytes, path));
  }

  /** Replaces the approved definitions of the given servers; those of other servers stay approved. */
  static async save(
    { path, files }: ApprovalsFile,
    tools: readonly { readonly upstream: string; readonly definition: UpstreamTool }[],
  ): Promise<void> {
    const known = (await ApprovedTools.open({ path, files })).#hashes;
    const servers = new Set(tools.map(({ upstream }) => upstream));
    const kept = [...known].filter(([key]) => !servers.has(serverOf(key)));
    const added = tools.map(({ upstream, definition }): [string, string] => [
      toKey(upstream, definition.name),
      hashOf(definition),
    ]);
    const text = JSON.stringify({ format, tools: Object.fromEntries([...kept, ...added]) });
    await files.mkdir(dirname(path), { mode: 0o700 });
    await replaceFileUnsynced(files, path, Buffer.from(text), 0o600);
  }

  /** Compares a definition with the approved one. */
  check(server: string, definition: UpstreamTool): Approval {
    const approved = this.#hashes.get(toKey(server, definition.name));
    if (approved === undefined) return "new";
    return approved === hashOf(definition) ? "approved" : "changed";
  }
}

/** Covers everything that clients see of a tool: its texts, schemas, annotations and metadata. */
function hashOf(definition: UpstreamTool): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(definition)))
    .digest("hex");
}

/** Returns the value with sorted keys, because a server may list the same definition with another order. */
function sortKeys(value: unknown): unknown {
  const root: { value?: unknown } = {};
  // A work list is used instead of recursion, because definitions come from outside.
  const tasks: { readonly value: unknown; readonly put: (sorted: unknown) => void }[] = [
    {
      value,
      put: (sorted) => {
        root.value = sorted;
      },
    },
  ];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { value: given, put } = task;
    if (Array.isArray(given)) {
      const list: unknown[] = new Array(given.length);
      put(list);
      for (const [index, item] of given.entries())
        tasks.push({
          value: item,
          put: (sorted) => {
            list[index] = sorted;
          },
        });
    } else if (isRecord(given)) {
      const pairs: [string, unknown][] = [];
      put(pairs);
      for (const key of Object.keys(given).sort()) {
        const pair: [string, unknown] = [key, undefined];
        pairs.push(pair);
        tasks.push({
          value: given[key],
          put: (sorted) => {
            pair[1] = sorted;
          },
        });
      }
    } else put(given);
  }
  return root.value;
}

const separator = "\0";
const toKey = (server: string, tool: string) => `${server}${separator}${tool}`;
const serverOf = (key: string) => key.split(separator)[0] ?? "";

function parse(bytes: Uint8Array, path: string): ReadonlyMap<string, string> {
  try {
    const value = parseJsonText(Buffer.from(bytes).toString("utf8"));
    if (isRecord(value) && value["format"] === format && isRecord(value["tools"]))
      return new Map(Object.entries(value["tools"]).map(([key, hash]) => [key, String(hash)]));
  } catch {
    // The error below says what to do.
  }
  throw new ContractError(`Cannot read the approved tools: ${JSON.stringify(path)} is damaged`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Remove the file, look at the tools with gateway --dry-run, and approve them again.",
  });
}
