import { existsSync, lstatSync } from "node:fs";
import { appendFile, cp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileStore } from "./file-store.ts";
import {
  attackSidecar,
  calls,
  createHostileFolder,
  createSidecar,
  type HostileFolder,
  kinds,
  outcomeOf,
  snapshot,
} from "./testing/hostile-folder.ts";

let folder: HostileFolder;
beforeEach(async () => {
  folder = await createHostileFolder();
});
afterEach(() => folder.remove());

describe.runIf(process.platform !== "win32")("in the place of any file or folder under .foundry", () => {
  it.each(Object.keys(kinds))(
    "%s reaches nothing outside, and blocks nothing once it is removed",
    async (kind) => {
      expect(await attackSidecar(folder, kind)).toBeGreaterThan(12);
    },
    600_000,
  );
});

describe("files next to a spec with hostile content", () => {
  const odd = [
    "null",
    "[]",
    "5",
    '"x"',
    "{}",
    "[null]",
    '{"counter":1,"hash":"x","leases":[null,5,{}],"marks":null}',
    '{"counter":1,"hash":"x","leases":[{"task_id":5,"expires_at":null}],"marks":[1],"fence":"x"}',
    '{"counter":-1e308,"hash":"","pending":{"name":"../../../active/one","by":"state"},"moving":"../../x"}',
    '{"counter":1,"hash":"x","before":5,"pending":null,"marks":{"__proto__":"x"}}',
    '{"counter":1,"hash":"x","before":{"hash":{}},"pending":{"name":null,"by":null}}',
    '{"fingerprint":"f","at":"2026-01-01T00:00:00Z","revision":"1-x","result":null,"warnings":5}',
    '{"fingerprint":"f","at":"2999-01-01T00:00:00Z","revision":"1-x","result":null,"warnings":[null]}',
    '{"fingerprint":"f","at":"2999-01-01T00:00:00Z","revision":"1-x","result":{"id":"../../outside/x"}}',
    '{"from":"a","to":"b","at":"x","author":"","action":"","about":[],"splices":[[-1,"",""],[1e308,"x",null]]}\n',
    '{"to":"b","at":"x","author":"","action":"","about":["\\u001b[2J"],"splices":[null]}\n{"from":"b"}\n',
    "\u0000\uffff{",
  ];
  it.each(odd)(
    "gives a value or a typed failure: %j",
    async (text) => {
      const places = await createSidecar(folder);
      const { root, outside, at } = folder;
      const good = join(dirname(root), "good");
      await cp(root, good, { recursive: true });
      const before = snapshot(outside);
      const files = places.map(at).filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
      for (const file of files)
        for (const [name, call] of Object.entries(calls)) {
          await rm(root, { recursive: true });
          await cp(good, root, { recursive: true });
          if (file.endsWith("log.jsonl")) await appendFile(file, text);
          else await writeFile(file, text);
          const store = openFileStore({ root });
          expect(
            ["done", "CONFLICT", "BACKUP_CORRUPTED", "SPEC_NOT_FOUND", "INVALID_FORMAT"],
            `${file}: ${name}`,
          ).toContain(await outcomeOf(() => call(store)));
          expect(existsSync(at("active/one.json")) || existsSync(at("completed/one.json"))).toBe(true);
          await store.close();
        }
      expect(snapshot(outside)).toEqual(before);
    },
    600_000,
  );
});
