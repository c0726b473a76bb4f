// None of it is part of a door.
const load = (file: string) =>
  import(new URL(`../../packages/foundry/src/stores/postgres/${file}.ts`, import.meta.url).href);

export const { openDatabase } = (await load(
  "database",
)) as typeof import("../../packages/foundry/src/stores/postgres/database.ts");
export const { openPostgres } = (await load(
  "open-postgres",
)) as typeof import("../../packages/foundry/src/stores/postgres/open-postgres.ts");
export const { migrate, schemaStep } = (await load(
  "migrate",
)) as typeof import("../../packages/foundry/src/stores/postgres/migrate.ts");
