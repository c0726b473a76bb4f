import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { cacheHome, foundryCli, foundryMcp } from "./bins.ts";
import { readPage } from "./markdown.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const programs = { "foundry-cli": foundryCli, "foundry-mcp": foundryMcp };

/** True if pseudo-terminals are available. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;
if (!hasTerminal)
  process.stderr.write("Without script of util-linux, pages for people run in no terminal.\n");

/**
 * A block of a page that has an effect. The block is a file to write, lines for a shell, or a call of the server.
 */
export interface PageBlock {
  readonly kind: "file" | "sh" | "call";
  readonly title: string;
  readonly code: string;
  /** The name of a file. For shell lines, the name is `terminal` if the page shows a person's terminal. */
  readonly name: string;
  /** The output shown directly after the block. */
  readonly output: { readonly kind: string; readonly text: string } | undefined;
}

/** The day and the folder that pages show in their output. */
export const writtenOn = "2026-11-16";
export const writtenIn = "/home/ann/project";

/** Returns the blocks of a page that have an effect, in order. */
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

/** A folder in which the blocks of a page run one after another, as a reader would run them. */
export class PageRun {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #isOnTerminal: boolean;
  #connection: Promise<Connection> | undefined;

  /**
   * Creates the folder inside the repository, so that the packages and `npx foundry-mcp` are found as in any project.
   * `isOnTerminal` runs the blocks for people on a terminal of 80 columns, if the machine has one.
   */
  constructor(name: string, { isOnTerminal = false }: { readonly isOnTerminal?: boolean } = {}) {
    this.#isOnTerminal = isOnTerminal && hasTerminal;
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
    const inherited = Object.entries(process.env).filter(
      ([key]) => !/^(FOUNDRY_|XDG_|npm_|COLUMNS$)/i.test(key),
    );
    this.#env = {
      ...Object.fromEntries(inherited),
      HOME: home,
      XDG_CACHE_HOME: cacheHome,
      PATH: [join(home, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
      GIT_CEILING_DIRECTORIES: home,
      FOUNDRY_AUTHOR: "ann",
      NO_COLOR: "1",
      LC_ALL: "C.UTF-8",
      NODE_ENV: "development",
      // npx finds the programs of the checkout. It must not download anything or show its progress.
      npm_config_offline: "true",
      npm_config_progress: "false",
      npm_config_update_notifier: "false",
    };
  }

  /** Runs a block, and returns its output in the form that the page shows. */
  async run({ kind, name, code }: PageBlock): Promise<string> {
    const real = code.replaceAll(writtenOn, this.#date()).replaceAll(writtenIn, this.folder);
    if (kind === "file") {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), real);
      return "";
    }
    const printed =
      kind === "sh" ? await this.#runShell(real, name === "terminal") : await this.#runCall(real);
    return printed
      .replaceAll(this.#date(), writtenOn)
      .replaceAll(this.folder, writtenIn)
      .replaceAll(dirname(this.folder), dirname(writtenIn));
  }

  async close(): Promise<void> {
    await (await this.#connection)?.close();
  }

  async #runShell(lines: string, isTerminal: boolean): Promise<string> {
    if (isTerminal && this.#isOnTerminal) return this.#runOnTerminal(lines);
    const { stdout } = await run("sh", ["-c", `{ ${lines}\n} 2>&1`], {
      cwd: this.folder,
      // Standard output is a pipe here, but a person would have a terminal.
      env: { ...this.#env, ...(isTerminal ? { FOUNDRY_OUTPUT: "human" } : {}) },
      timeout: 120_000,
    }).catch((failed: { readonly stdout: string }) => failed);
    return stdout;
  }

  /** Runs lines on a pseudo-terminal. Lines of progress are left out, because they are erased before the end. */
  async #runOnTerminal(code: string): Promise<string> {
    const script = join(dirname(this.folder), "block.sh");
    writeFileSync(script, code);
    const command = `stty cols 80 rows 24; sh ${JSON.stringify(script)}`;
    const { stdout } = await run("script", ["-qec", command, "/dev/null"], {
      cwd: this.folder,
      env: { ...this.#env, SHELL: "/bin/sh", TERM: "xterm" },
      timeout: 120_000,
    }).catch((failed: { readonly stdout: string }) => failed);
    const erased = "\r\u001b[2K";
    const lines = stdout.split("\r\n").map((line) => line.split(erased).at(-1) ?? "");
    // A long path is broken at the end of the line.
    const folder = new RegExp(
      [...this.folder].map((letter) => letter.replace(/\W/, "\\$&")).join("\n?"),
      "g",
    );
    return lines.join("\n").replace(folder, this.folder);
  }

  /** Calls a server over stdio. The first call starts the server, and later calls reuse it. */
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

  /** Returns the current day, which is part of the ids of new specs. */
  #date(): string {
    const active = join(this.folder, "specs/active");
    const [first = ""] = existsSync(active) ? readdirSync(active) : [];
    return /\d{4}-\d\d-\d\d/.exec(first)?.[0] ?? new Date().toISOString().slice(0, 10);
  }
}

/**
 * Returns a text in which all values that differ between runs are normalized. A terminal wraps the line with the
 * workspace if the path of its folder is long.
 */
export function settle(text: string): string {
  return text
    .replace(/\breq_[0-9a-f]{12}\b/g, "req_000000000000")
    .replace(/("(?:duration_ms|size_bytes)\\*": ?)[\d.]+/g, "$10")
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2000-01-01T00:00:00.000Z")
    .replace(/\b\d{4}-\d\d-\d\d\b/g, "2000-01-01")
    .replace(/\b(\d+)-[0-9a-f]{8}\b/g, "$1-00000000")
    .replace(/\b(?:just now|\d+ [a-z]+ ago)\b/g, "just now")
    .replace(/\bfor \d+ minutes?\b/g, "for 15 minutes")
    .replace(/^(The workspace is ready:)\s+/gm, "$1 ")
    .replace(/\bv\d+\.\d+\.\d+\b/g, "v20.0.0")
    .replace(/\b(cursor(?:"?:)? ?"?)[\w-]{20,}/g, "$1…")
    .replace(/\barc_\w+|\bsha256:[0-9a-f]+/g, "…")
    .replace(/(\bWork hash +|--work-hash )[0-9a-f]{12}\b/g, "$1…")
    .replace(/^(Duration +)[\d.]+ m?s$/gm, "$10 s")
    .replace(/\d+ calls in [\d.]+ m?s/g, "0 calls in 0 s")
    .replace(/^( {2}[✓✗?] \w+) +\d+ +\d+ +\d+$/gm, "$1 0 0 0")
    .replace(/^(Tools) +calls/gm, "$1 calls");
}

/** Converts printed output to a comparable form, because pages show JSON indented. */
export function toComparable(text: string): string {
  const trimmed = text.trim();
  try {
    return settle(JSON.stringify(JSON.parse(trimmed)));
  } catch {
    return settle(trimmed.replace(/[ \t]+$/gm, ""));
  }
}
