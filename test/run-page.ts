import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { cacheHome, foundryCli, foundryMcp } from "./bins.ts";
import { readPage } from "./markdown.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const programs = { "foundry-cli": foundryCli, "foundry-mcp": foundryMcp };

/** A block of a page that does something: a file that is written, lines for a shell, or a call of the server. */
export interface PageBlock {
  readonly kind: "file" | "sh" | "call";
  readonly title: string;
  readonly code: string;
  /** The name of a file. */
  readonly name: string;
  /** What stands right after it. */
  readonly output: { readonly kind: string; readonly text: string } | undefined;
}

/** The day and the folder in which pages say that they were written. */
export const writtenOn = "2026-11-16";
export const writtenIn = "/home/ann/project";

/** The blocks of a page that do something, in their order. */
export function readPageBlocks(page: string): PageBlock[] {
  const fences = [
    ...readPage(page).matchAll(/^```(\S+)(?: (\S+))?\n(.*?)^```\n(?=(\n```(text|json)\n)?)/gms),
  ];
  return fences.flatMap(([, info = "", name = "", code = "", isFollowed], index) => {
    const kind = info === "sh" ? "sh" : name === "call" ? "call" : name === "" ? undefined : "file";
    if (kind === undefined) return [];
    const [, type = "", , text = ""] = fences[index + 1] ?? [];
    const output = isFollowed === undefined || kind === "file" ? undefined : { kind: type, text };
    return [{ kind, title: code.trim().split("\n")[0] ?? "", code, name, output }];
  });
}

/** A folder in which the blocks of a page run, one after the other, as its reader would run them. */
export class PageRun {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #connection: Promise<Connection> | undefined;

  /** The folder lies inside of the repository, so that the packages are found as they are from any project. */
  constructor(name: string) {
    const home = join(root, ".build/docs-specs", name);
    rmSync(home, { recursive: true, force: true });
    this.folder = join(home, "project");
    mkdirSync(join(home, "bin"), { recursive: true });
    mkdirSync(this.folder, { recursive: true });
    for (const [program, path] of Object.entries(programs)) {
      const shim = join(home, "bin", program);
      writeFileSync(shim, `#!/bin/sh\nexec node ${JSON.stringify(path)} "$@"\n`);
      chmodSync(shim, 0o755);
    }
    const inherited = Object.entries(process.env).filter(([key]) => !/^(FOUNDRY_|XDG_|COLUMNS$)/.test(key));
    this.#env = {
      ...Object.fromEntries(inherited),
      HOME: home,
      XDG_CACHE_HOME: cacheHome,
      PATH: [join(home, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
      GIT_CEILING_DIRECTORIES: home,
      NO_COLOR: "1",
      NODE_ENV: "development",
    };
  }

  /** Does what a block says, and gives what it prints as the page would have it. */
  async run({ kind, name, code }: PageBlock): Promise<string> {
    const real = code.replaceAll(writtenOn, this.#date()).replaceAll(writtenIn, this.folder);
    if (kind === "file") {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), real);
      return "";
    }
    const printed = kind === "sh" ? await this.#runShell(real) : await this.#runCall(real);
    return printed
      .replaceAll(this.#date(), writtenOn)
      .replaceAll(this.folder, writtenIn)
      .replaceAll(dirname(this.folder), dirname(writtenIn));
  }

  async close(): Promise<void> {
    await (await this.#connection)?.close();
  }

  async #runShell(lines: string): Promise<string> {
    const { stdout } = await run("sh", ["-c", `{ ${lines}\n} 2>&1`], {
      cwd: this.folder,
      env: this.#env,
      timeout: 60_000,
    }).catch((failed: { readonly stdout: string }) => failed);
    return stdout;
  }

  /** Calls a server over stdio that is started with the first call, and stays. */
  async #runCall(text: string): Promise<string> {
    this.#connection ??= connect({
      command: process.execPath,
      args: [foundryMcp],
      cwd: this.folder,
      env: this.#env as Readonly<Record<string, string>>,
      stderr: "ignore",
    });
    const { name, arguments: args } = JSON.parse(text) as {
      readonly name: string;
      readonly arguments: object;
    };
    return JSON.stringify(await (await this.#connection).callTool(name, args as never));
  }

  /** New specs have the day in their ids. */
  #date(): string {
    const active = join(this.folder, "specs/active");
    const [first = ""] = existsSync(active) ? readdirSync(active) : [];
    return /\d{4}-\d\d-\d\d/.exec(first)?.[0] ?? new Date().toISOString().slice(0, 10);
  }
}

/** A text in which all that differs from run to run has one form. */
export function settle(text: string): string {
  return text
    .replace(/\breq_[0-9a-f]{12}\b/g, "req_000000000000")
    .replace(/("(?:duration_ms|size_bytes)\\*": ?)[\d.]+/g, "$10")
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2000-01-01T00:00:00.000Z")
    .replace(/\b\d{4}-\d\d-\d\d\b/g, "2000-01-01")
    .replace(/\b(\d+)-[0-9a-f]{8}\b/g, "$1-00000000")
    .replace(/\bv\d+\.\d+\.\d+\b/g, "v20.0.0")
    .replace(/\b(cursor(?:"?:)? ?"?)[\w-]{20,}/g, "$1…")
    .replace(/\barc_\w+|\bsha256:[0-9a-f]+/g, "…")
    .replace(/\d+ calls in [\d.]+ m?s/g, "0 calls in 0 s")
    .replace(/^( {2}[✓✗?] \w+) +\d+ +\d+ +\d+$/gm, "$1 0 0 0")
    .replace(/^(Tools) +calls/gm, "$1 calls");
}

/** What pages print, made comparable: JSON stands there indented. */
export function toComparable(text: string): string {
  const trimmed = text.trim();
  try {
    return settle(JSON.stringify(JSON.parse(trimmed)));
  } catch {
    return settle(trimmed.replace(/[ \t]+$/gm, ""));
  }
}
