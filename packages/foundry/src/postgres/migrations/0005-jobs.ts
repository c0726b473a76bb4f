/** The table of jobs. A job is a call that runs independently of the request that started it. */
export const jobs = `
CREATE TABLE foundry.job (
  workspace integer NOT NULL REFERENCES foundry.workspace,
  id text COLLATE "C" NOT NULL,
  owner bytea NOT NULL,        -- SHA-256 of the principal, who may have any name
  created_at bigint NOT NULL,  -- milliseconds since 1970, as the next column
  expires_at bigint NOT NULL,
  running boolean NOT NULL,    -- false once the job has ended
  version integer NOT NULL,    -- changes with every write; a write names the version that it replaces
  write_id uuid NOT NULL,      -- of the last write, which may be repeated after a lost connection
  job text NOT NULL,           -- JSON
  PRIMARY KEY (workspace, id)
) WITH (fillfactor = 70);
CREATE INDEX job_owner ON foundry.job (workspace, owner, created_at, id);
CREATE INDEX job_expiry ON foundry.job (workspace, expires_at);
CREATE INDEX job_running ON foundry.job (workspace, created_at, id) WHERE running;
`;
