import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toPersonName } from "./person-name.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "person-name-"));
  for (const name of ["home", "repo", "repo/bin"]) mkdirSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);
const env = (more: object = {}) => ({ HOME: at("home"), PATH: process.env["PATH"], ...more });

describe("toPersonName", () => {
  it("is FOUNDRY_AUTHOR, on one line and not too long", () => {
    expect(toPersonName(env({ FOUNDRY_AUTHOR: " Ann\n\u001b[31mLee " }), at("repo"))).toBe("Ann [31mLee");
    expect(toPersonName(env({ FOUNDRY_AUTHOR: "😀".repeat(200) }), at("repo"))).toBe("😀".repeat(100));
  });

  it("is the user name where git has none", () => {
    expect(toPersonName(env(), at("repo"))).toBe(userInfo().username);
    expect(toPersonName(env({ PATH: "", FOUNDRY_AUTHOR: " " }), at("repo"))).toBe(userInfo().username);
  });

  it("is git's user.name of the user, whatever the repository says and brings", () => {
    writeFileSync(at("home/.gitconfig"), '[user]\n\tname = "Ann Lee"\n');
    execFileSync("git", ["init", "-q", at("repo")]);
    execFileSync("git", ["-C", at("repo"), "config", "user.name", "Mallory"]);
    writeFileSync(at("repo/bin/git"), "#!/bin/sh\necho Mallory\n");
    chmodSync(at("repo/bin/git"), 0o755);
    const path = [at("repo/bin"), process.env["PATH"]].join(delimiter);
    const given = env({ PATH: path, GIT_DIR: at("repo/.git"), GIT_CONFIG: at("repo/.git/config") });
    expect(toPersonName(given, at("repo"))).toBe("Ann Lee");
  });
});
