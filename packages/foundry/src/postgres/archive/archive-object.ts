import { createHash } from "node:crypto";
import type { Database, Queryable } from "../database.ts";

/** How much is read at once: each stretch has the time of a statement to itself. */
const stretchBytes = 4 * 2 ** 20;

/** The largest content there can be; beyond that a value no longer fits a message of the database. */
export const maxObjectBytes: number = 2 ** 29;

/** The name of a principal in the database; as UTF-8 all halves of characters would be one. */
export function ownerOf(principal: string): Buffer {
  return createHash("sha256").update(principal, "utf16le").digest();
}

/**
 * Stores bytes where they are not stored yet, and anew where they are damaged; gives by how much there are more. From
 * here to the end of the transaction nobody else can put or remove them.
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
    // Somebody else was a moment faster: theirs are to be locked.
  }
}

/** The bytes of a digest as they are stored, which should have this size; undefined where there are none. */
export async function readObject(
  database: Database,
  deed: string,
  workspace: number,
  digest: Buffer,
  size: number,
): Promise<Uint8Array | undefined> {
  const read = async (queryable: Queryable, from: number) => {
    const [row] = await queryable.query<{ size: number; stretch: Buffer }>({
      text: `SELECT length(bytes) AS size, substring(bytes FROM $3 FOR $4) AS stretch
        FROM foundry.content_object WHERE workspace = $1 AND digest = $2`,
      values: [workspace, digest, from + 1, stretchBytes],
    });
    return row;
  };
  if (size <= stretchBytes) {
    const row = await read({ query: (statement) => database.query(deed, statement) }, 0);
    if (row === undefined || row.size <= stretchBytes) return row?.stretch;
  }
  const readAll = async (queryable: Queryable) => {
    const stretches: Buffer[] = [];
    for (let from = 0; ; from += stretchBytes) {
      const row = await read(queryable, from);
      if (row === undefined) return undefined;
      stretches.push(row.stretch);
      if (from + stretchBytes >= row.size) return Buffer.concat(stretches);
    }
  };
  // As all of it was at one moment: a sweep in between takes nothing away.
  return database.transaction(deed, readAll, "read");
}
