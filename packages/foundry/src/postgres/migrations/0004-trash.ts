/**
 * The column that marks specs in the trash. The rows of these specs are kept, so that their ids stay reserved and a
 * restored spec still has its history.
 */
export const trash = `
ALTER TABLE foundry.spec ADD COLUMN deleted boolean NOT NULL DEFAULT false;
`;
