import { once } from "node:events";
import { isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";
import {
  type ContentArchive,
  type ContentEntry,
  contentHashOf,
  createFileArchive,
} from "@foundry-mcp/toolkit/archive";
import { createArchiveRegistry } from "./archive-tools.ts";
import { silentLogger } from "./silent-logger.ts";

// This program is one of several processes that share an archive. Each mode is a role in a test.
const [mode = "", folder = "", ...args] = process.argv.slice(2);

const say = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

function put(archive: ContentArchive, bytes: Uint8Array, principal: string, requestId = "req_1") {
  return archive.put({ principal, bytes, hash: contentHashOf(bytes), tool: "t", requestId, contentIds: [] });
}

/** Returns one of a few contents, so that processes often put the same content. */
function someContent(): Buffer {
  const kind = Math.floor(Math.random() * 60);
  return Buffer.alloc(1_000 + kind * 5_000, `content ${kind} `);
}

async function tryRead(archive: ContentArchive, entry: ContentEntry): Promise<string> {
  try {
    await archive.read(entry);
    return "read";
  } catch (thrown) {
    return isContractError(thrown) && thrown.code === "CONTENT_NOT_FOUND" ? "gone" : String(thrown);
  }
}

/** Returns true for an entry that remains although its bytes are gone. A put in progress writes the bytes again. */
async function isEmptyEntry(
  archive: ContentArchive,
  principal: string,
  entry: ContentEntry,
): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    const now = await archive.find(principal, { hash: entry.hash });
    if (now?.createdAt !== entry.createdAt || (await tryRead(archive, now)) === "read") return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  /** Puts the same bytes as the other processes when a signal arrives. */
  async same() {
    const archive = createFileArchive({ folder });
    const bytes = Buffer.alloc(2_000_000, "the same content ");
    say("ready");
    await once(process.stdin, "data");
    say(await put(archive, bytes, args[0] ?? ""));
    process.stdin.destroy();
  },

  /** Puts content until the process is killed. */
  async flood() {
    const archive = createFileArchive({ folder, maxBytes: Number(args[0]) });
    for (let count = 0; ; count++) {
      await put(archive, someContent(), `principal ${Math.floor(Math.random() * 3)}`);
      if (count === 0) say("ready");
    }
  },

  /** Reads all content until its input ends, and reports the results. */
  async read() {
    const archive = createFileArchive({ folder });
    const outcome = { read: 0, gone: 0, faults: [] as string[] };
    let isOver = false;
    process.stdin.resume().once("end", () => {
      isOver = true;
    });
    say("ready");
    while (!isOver) {
      const principal = `principal ${Math.floor(Math.random() * 3)}`;
      for (const entry of await archive.list(principal)) {
        const found = await tryRead(archive, entry);
        if (found === "read" || found === "gone") outcome[found]++;
        else outcome.faults.push(found);
        if (found === "gone" && (await isEmptyEntry(archive, principal, entry))) {
          outcome.faults.push(`${entry.archiveId} is listed but cannot be read`);
        }
      }
    }
    say(outcome);
  },

  /** Answers calls with texts of the given lengths, and reports the log entries of the archive. */
  async call() {
    const failures: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      debug: () => {},
      info: () => {},
      error: () => {},
      warn: (facts, message) => {
        if (message === "archive") failures.push((facts as { err?: { code?: unknown } }).err?.code);
      },
      child: () => logger,
    };
    const registry = createArchiveRegistry(createFileArchive({ folder }), 1_000, logger);
    const envelopes = [];
    for (const length of args) envelopes.push(await registry.call("long", { length: Number(length) }));
    say({ envelopes, failures });
  },

  /** Fetches content through the tool, including all of its pages. */
  async get() {
    const registry = createArchiveRegistry(createFileArchive({ folder }), 2_000);
    const [archive_id, id] = args;
    const options = id === undefined ? {} : { principal: { id } };
    let text = "";
    let cursor: string | null | undefined;
    do {
      const envelope = await registry.call("content", { action: "get", archive_id, cursor }, options);
      if (!envelope.success) {
        say(envelope.data);
        return;
      }
      text += String(envelope.data["text"]);
      cursor = envelope.meta.pagination?.cursor;
    } while (cursor !== null);
    say({ text });
  },
};

await modes[mode]?.();
