/**
 * The tables of the content archive. Objects are stored by hash, once per workspace, and entries are stored per
 * principal.
 */
export const content = `
CREATE TABLE foundry.content_object (
  workspace integer NOT NULL REFERENCES foundry.workspace,
  digest bytea NOT NULL,       -- SHA-256 of the bytes
  size bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (workspace, digest)
);
-- As they are: packing would take longer than writing, and a stretch of them could not be read by itself.
ALTER TABLE foundry.content_object ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- When an entry expires is not in it: that follows from the limits in force.
CREATE TABLE foundry.content_entry (
  workspace integer NOT NULL,
  owner bytea NOT NULL,        -- SHA-256 of the principal, who may have any name and is not told
  archive_id text COLLATE "C" NOT NULL,
  digest bytea NOT NULL,
  created_at bigint NOT NULL,  -- milliseconds since 1970, by the clock of the server that put it
  about text NOT NULL,         -- JSON: tool, action, request id
  content_ids text NOT NULL,   -- JSON
  PRIMARY KEY (workspace, owner, archive_id),
  FOREIGN KEY (workspace, digest) REFERENCES foundry.content_object
);
CREATE INDEX content_entry_age ON foundry.content_entry (workspace, created_at, archive_id);
CREATE INDEX content_entry_digest ON foundry.content_entry (workspace, digest);

-- Whoever adds or removes bytes changes this row last, and whoever sweeps locks it first.
CREATE TABLE foundry.content_total (
  workspace integer PRIMARY KEY REFERENCES foundry.workspace,
  bytes bigint NOT NULL,
  swept_at bigint NOT NULL
) WITH (fillfactor = 50);
`;
