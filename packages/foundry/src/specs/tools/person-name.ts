import { execFileSync } from "node:child_process";
import { devNull, homedir, userInfo } from "node:os";
import { join } from "node:path";
import { findKind } from "@foundry-mcp/toolkit/files";
import { findProgram } from "../../files/find-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const maxLength = 100;
const gitTimeoutMs = 2_000;

/**
 * Returns the name of the person at the command line: FOUNDRY_AUTHOR or, if it is not set, git's user.name.
 * If neither is set, returns the user name.
 */
export function toPersonName(env: Environment = process.env, cwd: string = process.cwd()): string {
  return clean(env["FOUNDRY_AUTHOR"]) ?? clean(readGitName(env, cwd)) ?? clean(readUserName()) ?? "unknown";
}

/** Reduces a name to one line without control characters, because terminals show the name. */
function clean(name: string | undefined): string | undefined {
  const line = (name ?? "").toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  const text = Array.from(line.trim()).slice(0, maxLength).join("").trim();
  return text === "" ? undefined : text;
}

/**
 * Reads user.name from the user's own git configuration. The configurations of repositories are ignored,
 * because the author of a repository must not choose the name. git does not start other programs for this
 * query.
 */
function readGitName(env: Environment, cwd: string): string | undefined {
  const git = findProgram("git", { path: env["PATH"], workspace: cwd });
  if (git === undefined) return undefined;
  const { HOME: home = homedir(), XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = env;
  // If there is no git configuration, there is no name, and git is not started, because this check is faster.
  const inHome = [join(home, ".gitconfig"), join(XDG_CONFIG_HOME || join(home, ".config"), "git", "config")];
  const files = GIT_CONFIG_GLOBAL === undefined ? inHome : [GIT_CONFIG_GLOBAL];
  if (files.every((file) => findKind(file) === undefined)) return undefined;
  try {
    return execFileSync(git, ["config", "--global", "--get", "user.name"], {
      cwd: "/",
      env: { HOME: home, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_DIR: devNull, LC_ALL: "C" },
      encoding: "utf8",
      timeout: gitTimeoutMs,
      maxBuffer: 65_536,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // No name is set, or git cannot be run.
    return undefined;
  }
}

/** Returns the user name; undefined if the user of the process has no entry in the user database. */
function readUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
