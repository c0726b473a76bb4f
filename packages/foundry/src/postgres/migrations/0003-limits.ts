/** Calls counted per client and tool; what is lost with a crash of the database is counted anew. */
export const limits = `
CREATE UNLOGGED TABLE foundry.rate_limit (
  key varchar(255) PRIMARY KEY,
  points bigint NOT NULL,
  expire bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX rate_limit_expire ON foundry.rate_limit (expire);
`;
