/**
 * The table of running gateways with their counts of calls. The table is unlogged, because a gateway writes its row again
 * after a crash of the database.
 */
export const gateways = `
CREATE UNLOGGED TABLE foundry.gateway (
  workspace integer NOT NULL REFERENCES foundry.workspace,
  process uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  counts text NOT NULL,        -- JSON: the counts of calls by server
  PRIMARY KEY (workspace, process)
) WITH (fillfactor = 70);
`;
