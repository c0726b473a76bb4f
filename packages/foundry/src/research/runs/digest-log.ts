import { type FileSystem, toFileError } from "@foundry-mcp/toolkit/files";
import { corruptFile } from "./run-errors.ts";
import { parseRecord, type SourceRecord } from "./source-record.ts";

/** The records of a log. */
export interface LogContent {
  readonly records: readonly SourceRecord[];
  /** The total length of all complete lines in bytes. An incomplete line may follow. */
  readonly size: number;
}

const lineEnd = 0x0a;

/**
 * Parses `digests.jsonl`. Ignores an incomplete last line, which a crash or a power failure may leave. Any other
 * invalid line is an error that names the line.
 */
export function parseDigestLog(bytes: Uint8Array, name: string): LogContent {
  const records: SourceRecord[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let from = 0;
  for (let number = 1; ; number++) {
    const end = buffer.indexOf(lineEnd, from);
    if (end === -1) return { records, size: from };
    const record = parseRecord(buffer.toString("utf8", from, end));
    if (record === undefined) {
      if (end === buffer.length - 1) return { records, size: from };
      throw corruptFile(name, `line ${number} is no record of a source`);
    }
    records.push(record);
    from = end + 1;
  }
}

/** An open log. */
export interface DigestLog {
  /** Appends a record durably. After a failure, every further append fails. */
  append(record: SourceRecord): Promise<void>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Opens a log for appending after its last complete record. `name` identifies the log in messages. */
export async function openDigestLog(
  fs: FileSystem,
  path: string,
  name: string,
  size: number,
): Promise<DigestLog> {
  const withFileErrors = <T>(work: Promise<T>): Promise<T> =>
    work.catch((err: unknown) => {
      throw toFileError(err, `write ${JSON.stringify(name)}`, name);
    });
  await withFileErrors(truncateTo(fs, path, size));
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      // Records are appended one after the other. If an append is incomplete, a record after it would be unreadable.
      const appended = last.then(async () => {
        await withFileErrors(fs.append(path, line, { sync: true }));
      });
      last = appended;
      return appended;
    },
    close: () =>
      last.then(
        () => {},
        () => {},
      ),
  };
}

/** Creates the file, which only its owner can read, or removes an incomplete last line. */
async function truncateTo(fs: FileSystem, path: string, size: number): Promise<void> {
  const file = await fs.append(path, new Uint8Array(), { mode: 0o600, sync: true });
  if (file.size > size) await fs.truncate(path, size);
}
