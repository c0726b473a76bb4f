import { createHash } from "node:crypto";
import type { Database, Queryable } from "../database.ts";

/** The number of bytes read per statement, so that each read fits into the statement timeout. */
const readBytes = 4 * 2 ** 20;

/** The maximum size of an object, because a larger value does not fit into a protocol message. */
export const maxObjectBytes: number = 2 ** 29;

/**
 * Hashes a principal for the owner column. The hash uses UTF-16, because UTF-8 would encode all lone surrogates as
 * the same character.
 */
export function ownerOf(principal: string): Buffer {
  return createHash("sha256").update(principal, "utf16le").digest();
}

/**
 * Stores bytes unless an intact copy exists, and returns by how many bytes the archive grew. The row stays locked until
 * the end of the transaction, so that no other transaction can store or remove it.
 */
export async function storeObject(
  queryable: Queryable,
  workspace: number,
  digest: Buffer,
  bytes: Uint8Array,
): Promise<number> {
  for (;;) {
    const [kept] = await queryable.query<{ size: number; is_sound: boolean }>({
      text: `SELECT size, sha256(bytes) = digest AS is_sound FROM foundry.content_object
        WHERE workspace = $1 AND digest = $2 FOR NO KEY UPDATE`,
      values: [workspace, digest],
    });
    if (kept?.is_sound) return 0;
    const values = [workspace, digest, bytes.length, bytes];
    if (kept !== undefined) {
      await queryable.query({
        text: "UPDATE foundry.content_object SET size = $3, bytes = $4 WHERE workspace = $1 AND digest = $2",
        values,
      });
      return bytes.length - kept.size;
    }
    const added = await queryable.query({
      text: `INSERT INTO foundry.content_object (workspace, digest, size, bytes) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING RETURNING size`,
      values,
    });
    if (added.length > 0) return bytes.length;
    // Another transaction inserted the row first, so the existing row is locked.
  }
}

/** Reads the stored bytes of a digest with the expected size. Returns undefined if there are none. */
export async function readObject(
  database: Database,
  operation: string,
  workspace: number,
  digest: Buffer,
  size: number,
): Promise<Uint8Array | undefined> {
  const read = async (queryable: Queryable, from: number) => {
    const [row] = await queryable.query<{ size: number; stretch: Buffer }>({
      text: `SELECT length(bytes) AS size, substring(bytes FROM $3 FOR $4) AS stretch
        FROM foundry.content_object WHERE workspace = $1 AND digest = $2`,
      values: [workspace, digest, from + 1, readBytes],
    });
    return row;
  };
  if (size <= readBytes) {
    const row = await read({ query: (statement) => database.query(operation, statement) }, 0);
    if (row === undefined || row.size <= readBytes) return row?.stretch;
  }
  const readAll = async (queryable: Queryable) => {
    const parts: Buffer[] = [];
    for (let from = 0; ; from += readBytes) {
      const row = await read(queryable, from);
      if (row === undefined) return undefined;
      parts.push(row.stretch);
      if (from + readBytes >= row.size) return Buffer.concat(parts);
    }
  };
  // All parts are read in one snapshot, so that a concurrent sweep does not interfere.
  return database.transaction(operation, readAll, "read");
}
