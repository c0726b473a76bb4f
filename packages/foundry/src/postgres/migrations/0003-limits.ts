/** The table of rate limit counters. The table is unlogged, because the counters may be lost in a crash. */
export const limits = `
CREATE UNLOGGED TABLE foundry.rate_limit (
  key varchar(255) PRIMARY KEY,
  points bigint NOT NULL,
  expire bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX rate_limit_expire ON foundry.rate_limit (expire);
`;
