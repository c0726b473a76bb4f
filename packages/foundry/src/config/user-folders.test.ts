import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { toCacheFolder, toStateFolder, toUserSettingsFile } from "./user-folders.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([undefined, "", "cache", "./cache", "../cache"])("takes %j for an unset variable", (value) => {
  vi.stubEnv("HOME", "/home/ann");
  const env = { XDG_CACHE_HOME: value, XDG_STATE_HOME: value, XDG_CONFIG_HOME: value };
  expect([toCacheFolder(env), toStateFolder(env), toUserSettingsFile(env)]).toEqual([
    join("/home/ann", ".cache", "foundry-mcp"),
    join("/home/ann", ".local", "state", "foundry-mcp"),
    join("/home/ann", ".config", "foundry", "foundry.toml"),
  ]);
});

it("uses absolute paths", () => {
  const env = { XDG_CACHE_HOME: "/var/cache", XDG_STATE_HOME: "/var/state", XDG_CONFIG_HOME: "/etc/ann" };
  expect([toCacheFolder(env), toStateFolder(env), toUserSettingsFile(env)]).toEqual([
    join("/var/cache", "foundry-mcp"),
    join("/var/state", "foundry-mcp"),
    join("/etc/ann", "foundry", "foundry.toml"),
  ]);
});

it.each(["", "home"])("never leads into the current folder: HOME=%j", (home) => {
  vi.stubEnv("HOME", home);
  expect([toCacheFolder({}), toStateFolder({}), toUserSettingsFile({})]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
