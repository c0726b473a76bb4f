import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { givenPaths } from "./given-paths.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "given-paths-")));
afterAll(() => rmSync(folder, { recursive: true }));

describe("givenPaths", () => {
  it("finds paths in arguments, options and variables, relative ones from the working folder", () => {
    const paths = givenPaths({
      command: "node",
      args: ["server.js", "/srv/files", "--root=/srv/data", "docs/a", "..", "--verbose", "http://h/a"],
      env: { MEMORY_FILE: "/var/memory.jsonl", ROOTS: "/srv/one:/srv/two", LEVEL: "info" },
      cwd: "/home/keeper/app",
    });
    expect(paths).toEqual([
      "/srv/files",
      "/srv/data",
      "/home/keeper/app/docs/a",
      "/home/keeper",
      "/var/memory.jsonl",
      "/srv/one:/srv/two",
      "/srv/one",
      "/srv/two",
    ]);
  });

  it("resolves links, and leaves out the root of the file system", () => {
    const link = join(folder, "link");
    symlinkSync(folder, link);
    expect(givenPaths({ command: "node", args: [link, "/"] })).toEqual([link, folder]);
  });
});
