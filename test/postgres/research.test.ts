import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DigestPayload } from "@foundry-mcp/contract/digest";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callCli } from "../specs/programs.ts";
import { createTestDatabase, type TestDatabase } from "./test-databases.ts";

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "research-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const cli = (...argv: string[]) =>
  callCli(argv, { cwd: folder, env: { DATABASE_URL: database.url, FOUNDRY_STORE: "postgres" } });

it("keeps digested texts in the database, and researches in the folder", async () => {
  const sentences = Array.from({ length: 20 }, (_, at) => `The moon 🌊 lifts the sea on day ${at}.`);
  await writeFile(join(folder, "moon.txt"), sentences.join(" "));
  const digested = await cli("research", "digest", "moon.txt", "--query", "day 7");
  const { source_text_hash } = digested.data["digest"] as DigestPayload;
  await writeFile(join(folder, "digest.json"), JSON.stringify(digested));
  expect((await cli("research", "verify", "digest.json")).data["verified"]).toBe(true);
  const kept = await cli("content", "get", "--hash", source_text_hash);
  expect([kept.data["text"], kept.data["content_type"]]).toEqual([sentences.join(" "), "text/plain"]);

  const { data } = await cli("research", "start", "What does the moon do?", "moon.txt");
  expect(data["state"]).toBe("completed");
  expect(await readdir(join(folder, ".foundry", "research"))).toEqual([data["research_id"]]);
  const checked = await cli("research", "verify", "--research-id", String(data["research_id"]));
  expect(checked.data["verified"]).toBe(true);
});
