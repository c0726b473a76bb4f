import { open } from "node:fs/promises";
import { toFileError } from "../../files/durable/file-error.ts";
import type { FileSystem } from "../../files/durable/file-system.ts";
import { parseRecord, type SourceRecord } from "./source-record.ts";
import { damaged } from "./state-failures.ts";

/** The records of a log, and how many bytes of it they are. */
export interface LogContent {
  readonly records: readonly SourceRecord[];
  /** Behind it stands a line that was being written when its process ended. */
  readonly size: number;
}

const lineEnd = 0x0a;

/**
 * Reads `digests.jsonl`. Its last line may be torn, as the end of a process or of the power leaves it: that source is
 * done again. Anything else that is no record is a failure that names the line.
 */
export function readLog(bytes: Uint8Array, name: string): LogContent {
  const records: SourceRecord[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let from = 0;
  for (let number = 1; ; number++) {
    const end = buffer.indexOf(lineEnd, from);
    if (end === -1) return { records, size: from };
    const record = parseRecord(buffer.toString("utf8", from, end));
    if (record === undefined) {
      if (end === buffer.length - 1) return { records, size: from };
      throw damaged(name, `line ${number} is no record of a source`);
    }
    records.push(record);
    from = end + 1;
  }
}

/** A log that is being written. */
export interface DigestLog {
  /** Adds a record; when it returns, the record survives a crash. After a failure nothing more is added. */
  append(record: SourceRecord): Promise<void>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

/** Opens a log behind its last whole record; `name` is what messages call it. */
export async function openLog(fs: FileSystem, path: string, name: string, size: number): Promise<DigestLog> {
  const naming = <T>(work: Promise<T>): Promise<T> =>
    work.catch((err: unknown) => {
      throw toFileError(err, `write ${JSON.stringify(name)}`, name);
    });
  await naming(cutAt(path, size));
  let last: Promise<void> = Promise.resolve();
  return {
    append(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      // One after the other; behind half a line another one would be lost with it.
      last = last.then(() => naming(write(fs, path, line)));
      return last;
    },
    close: () => last.catch(() => {}),
  };
}

/** Makes the file, for its owner alone, or takes off what stands behind the last whole line. */
async function cutAt(path: string, size: number): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    if ((await file.stat()).size > size) await file.truncate(size);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function write(fs: FileSystem, path: string, line: Uint8Array): Promise<void> {
  await fs.append(path, line);
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
