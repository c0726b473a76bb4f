import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { replaceFileUnsynced } from "../../files/durable/write-file.ts";
import type { UpstreamTool } from "../upstream/definitions.ts";

/**
 * The result of comparing a tool with its approved definition: `changed` if they differ, `new` if no definition of the
 * tool was approved.
 */
export type Approval = "approved" | "changed" | "new";

/** The file of approved tools, and the functions to access it. */
export interface ApprovalsFile {
  readonly path: string;
  readonly files: FileSystem;
}

const format = 1;
const maxBytes = 16 * 2 ** 20;

/** The hashes of the approved tool definitions, by server and tool name. */
export class ApprovedTools {
  readonly #hashes: ReadonlyMap<string, string>;

  private constructor(hashes: ReadonlyMap<string, string>) {
    this.#hashes = hashes;
  }

  /**
   * Reads the approved definitions. A missing file means that nothing is approved. An invalid file is an error, because
   * otherwise a damaged file would silently discard all approvals.
   */
  static async open({ path, files }: ApprovalsFile): Promise<ApprovedTools> {
    const read = await files.readFile(path, maxBytes).catch(() => undefined);
    return new ApprovedTools(read === undefined ? new Map() : parse(read.bytes, path));
  }

  /** Replaces the approved definitions of the given servers. The approved definitions of other servers are kept. */
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

  /** Compares the definition of a tool with the approved definition. */
  check(server: string, definition: UpstreamTool): Approval {
    const approved = this.#hashes.get(toKey(server, definition.name));
    if (approved === undefined) return "new";
    return approved === hashOf(definition) ? "approved" : "changed";
  }
}

/** Hashes a whole definition, because clients see all its parts: texts, schemas, annotations and metadata. */
function hashOf(definition: UpstreamTool): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(definition)))
    .digest("hex");
}

/**
 * Returns the value with sorted object keys, because a server may list the same definition with its keys in another
 * order.
 */
function sortKeys(value: unknown): unknown {
  const root: { value?: unknown } = {};
  // Uses a work list instead of recursion, because a definition comes from an untrusted server and may nest deeply.
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
    // The file is damaged, and the error below says how to recover.
  }
  throw new ContractError(`Cannot read the approved tools: ${JSON.stringify(path)} is damaged`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Remove the file, look at the tools with gateway --dry-run, and approve them again.",
  });
}
