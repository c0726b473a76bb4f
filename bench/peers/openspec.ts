import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Peers } from "./install-peers.ts";

/** A project of OpenSpec with one change. */
export interface OpenSpec {
  readonly folder: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a project of OpenSpec with a change whose list has the given number of boxes. */
export async function createOpenSpec(
  peers: Peers,
  scratch: string,
  tasks: number,
): Promise<OpenSpec | undefined> {
  const program = peers.programOf("@fission-ai/openspec", "openspec");
  if (program === undefined) return undefined;
  const folder = join(scratch, `openspec-${tasks}`);
  const env = {
    HOME: join(scratch, "home"),
    CI: "1",
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    OPENSPEC_TELEMETRY: "0",
  };
  const change = join(folder, "openspec/changes/bench");
  await mkdir(change, { recursive: true });
  await mkdir(env.HOME, { recursive: true });
  await promisify(execFile)(program, ["init", "--tools", "none", "."], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...env },
  });
  const boxes = Array.from(
    { length: tasks },
    (_, at) =>
      `- [${at < tasks / 2 ? "x" : " "}] 1.${at + 1} Read section ${at + 1} of the configuration file`,
  );
  await writeFile(join(change, "tasks.md"), `## 1. The work\n\n${boxes.join("\n")}\n`);
  await writeFile(
    join(change, "proposal.md"),
    "## Why\n\nTo measure.\n\n## What Changes\n\n- The configuration\n",
  );
  return { folder, program, env };
}
