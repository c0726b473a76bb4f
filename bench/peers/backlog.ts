import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerProgram } from "../start/started-server.ts";
import type { Peers } from "./install-peers.ts";

/** A project of Backlog.md. */
export interface Backlog {
  readonly folder: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly server: ServerProgram;
  /** Returns the number of completed tasks in the files. */
  countDone(): Promise<number>;
}

/** Creates a project of Backlog.md with tasks, of which the first half is done; undefined if it is not installed. */
export async function createBacklog(
  peers: Peers,
  scratch: string,
  tasks: number,
): Promise<Backlog | undefined> {
  const program = peers.programOf("backlog.md", "backlog");
  if (program === undefined) return undefined;
  const folder = join(scratch, `backlog-${tasks}`);
  const env = { HOME: join(scratch, "home"), CI: "1", NO_COLOR: "1", DO_NOT_TRACK: "1" };
  await mkdir(folder, { recursive: true });
  await mkdir(env.HOME, { recursive: true });
  const run = (file: string, args: readonly string[]) =>
    promisify(execFile)(file, args, { cwd: folder, env: { PATH: process.env["PATH"], ...env } });
  await run("git", ["init", "-q", "."]);
  await run(program, [
    ...["init", "bench", "--defaults", "--integration-mode", "none"],
    ...["--check-branches", "false", "--include-remote", "false"],
  ]);
  const place = join(folder, "backlog/tasks");
  for (let number = 1; number <= tasks; number++) {
    const title = `Read section ${number} of the configuration file`;
    const status = number <= tasks / 2 ? "Done" : "To Do";
    const waits = number > tasks / 2 && number % 10 === 9 ? `\n  - TASK-${number - 1}` : " []";
    const text = `---
id: TASK-${number}
title: ${title}
status: ${status}
assignee: []
created_date: '2026-01-02 03:04'
labels: []
dependencies:${waits}
ordinal: ${number * 1_000}
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Take it apart, check every value, and say what is wrong with it.
<!-- SECTION:DESCRIPTION:END -->
`;
    await writeFile(join(place, `task-${number} - ${title.replaceAll(" ", "-")}.md`), text);
  }
  return {
    ...{ folder, program, env },
    server: { command: program, args: ["mcp", "start"], cwd: folder, env },
    async countDone() {
      const names = await readdir(place);
      const texts = await Promise.all(names.map((name) => readFile(join(place, name), "utf8")));
      return texts.filter((text) => /^status: Done$/m.test(text)).length;
    },
  };
}
