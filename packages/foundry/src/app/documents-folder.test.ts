import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoadedSettings } from "../config/load-settings.ts";
import { findDocumentsFolder } from "./documents-folder.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "documents-folder-")));
const at = (path: string) => join(base, path);
for (const folder of ["repo/docs/specs", "repo/specs/home", "home", "config/foundry"])
  mkdirSync(at(folder), { recursive: true });
symlinkSync(at("repo"), at("alias"));
const root = parse(base).root;

beforeEach(() => vi.stubEnv("HOME", at("home")));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Returns the folder of documents for a specs folder that a source of settings names. */
function folderOf(specs: string, source = "--specs-dir"): string | undefined {
  const origins = { specs_dir: source } as LoadedSettings["origins"];
  return findDocumentsFolder({ specs_dir: specs }, { origins }, at("repo"));
}

describe("the folder of documents", () => {
  it("is the one above the specs, whoever names them", () => {
    for (const source of ["default", "--specs-dir", "FOUNDRY_SPECS_DIR", at("repo/foundry.toml")])
      expect([source, folderOf(at("repo/specs"), source)]).toEqual([source, at("repo")]);
    expect(folderOf(at("repo/docs/specs"), at("repo/foundry.toml"))).toBe(at("repo/docs"));
    expect(folderOf(at("alias/specs"))).toBe(at("alias"));
    expect(folderOf(at("repo/missing/specs"))).toBe(at("repo/missing"));
  });

  it("is never above the settings file of the workspace, also through a link", () => {
    expect(folderOf(at("repo"), at("repo/foundry.toml"))).toBe(at("repo"));
    expect(folderOf(at("alias"), at("alias/foundry.toml"))).toBe(at("alias"));
    expect(folderOf(at("alias"), at("repo/foundry.toml"))).toBe(at("alias"));
  });

  it("is the one above the specs that the user's own settings file names", () => {
    expect(folderOf(at("repo/specs"), at("config/foundry/foundry.toml"))).toBe(at("repo"));
  });

  it.each([
    ["the home folder", "repo"],
    ["above the home folder", "repo/docs"],
    ["a link to the home folder", "alias"],
  ])("is the specs folder itself where the one above is %s", (_title, home) => {
    vi.stubEnv("HOME", at(home));
    expect(folderOf(at("repo/specs"))).toBe(at("repo/specs"));
    expect(folderOf(at("alias/specs"))).toBe(at("alias/specs"));
  });

  it("is the specs folder itself where the one above is the root", () => {
    expect(folderOf(join(root, "no-such-specs"))).toBe(join(root, "no-such-specs"));
  });

  it("is none where the specs are at the root, in the home folder or above it", () => {
    expect(folderOf(root)).toBeUndefined();
    expect(folderOf(at("home"))).toBeUndefined();
    vi.stubEnv("HOME", at("repo/specs/home"));
    expect(folderOf(at("repo/specs"))).toBeUndefined();
  });

  it("is the current folder for specs in a database, unless that is too wide", () => {
    const origins = { specs_dir: "default" } as LoadedSettings["origins"];
    const database = { database: "postgres://db/foundry", workspace: "default" };
    const of = (cwd: string) => findDocumentsFolder(database, { origins }, cwd);
    expect(of(at("repo"))).toBe(at("repo"));
    for (const cwd of [root, at("home"), base]) expect([cwd, of(cwd)]).toEqual([cwd, undefined]);
  });
});
