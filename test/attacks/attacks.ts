import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  forbid,
  innocentWord,
  outsideWord,
  type SampleRepository,
  type Target,
} from "./sample-repository.ts";
import { canForbid } from "./surfaces.ts";

/** A hostile replacement for a file or a folder. */
export interface Attack {
  readonly name: string;
  readonly on: "files" | "folders" | "both";
  /** True if this machine cannot create the replacement. */
  readonly isSkipped?: boolean;
  /** True for an attack that once succeeded. These attacks are tried over every surface. */
  readonly isSharp?: boolean;
  place(path: string, repository: SampleRepository): void | Promise<void>;
}

/** A time so long ago that a sweep would treat a file of this age as a leftover. */
const longAgo = new Date("2020-01-01T00:00:00Z");

const gigabyte = 2 ** 30;

/** All attacks on a file or folder. */
export const attacks: readonly Attack[] = [
  {
    name: "a link to a file outside",
    on: "both",
    isSharp: true,
    place: (path, repository) => linkTo(path, copyOutside(path, repository, "file")),
  },
  {
    name: "a link to a folder outside",
    on: "both",
    isSharp: true,
    place: (path, repository) => linkTo(path, copyOutside(path, repository, "folder")),
  },
  {
    name: "a link to nothing outside",
    on: "both",
    isSharp: true,
    place: (path, { outside }) => linkTo(path, join(outside, "absent")),
  },
  {
    name: "a link to itself",
    on: "both",
    place: (path) => linkTo(path, path),
  },
  {
    name: "a link to a copy inside",
    on: "both",
    place(path, { folder }) {
      const specs = join(folder, "specs");
      const copy = join(path.startsWith(`${specs}/`) ? specs : folder, `copy-of-${basename(path)}`);
      cpSync(path, copy, { recursive: true });
      linkTo(path, copy);
    },
  },
  { name: "a FIFO", on: "both", isSharp: true, place: (path) => run("mkfifo", [clear(path)]) },
  { name: "a socket", on: "both", place: (path) => placeSocket(clear(path)) },
  { name: "a link to /dev/zero", on: "both", isSharp: true, place: (path) => linkTo(path, "/dev/zero") },
  {
    name: "a device",
    on: "files",
    isSkipped: !canMakeDevices(),
    place: (path) => run("mknod", [clear(path), "c", "1", "5"]),
  },
  {
    name: "a folder",
    on: "files",
    place: (path) => void mkdirSync(join(clear(path), "sub"), { recursive: true }),
  },
  { name: "a file", on: "folders", isSharp: true, place: (path) => writeOld(clear(path), "no folder") },
  {
    name: "a sparse file of 64 GB",
    on: "files",
    isSharp: true,
    place: (path) => placeSparse(clear(path), 64 * gigabyte),
  },
  { name: "a sparse file of 1 GB", on: "files", place: (path) => placeSparse(clear(path), gigabyte) },
  { name: "random bytes", on: "files", place: (path) => writeOld(clear(path), randomBytes(4_096)) },
  { name: "no permission", on: "both", isSkipped: !canForbid, place: forbid },
];

/** The attacks to try: all attacks, or only those that once succeeded. */
export type AttackChoice = "all" | "sharp";

/** Returns the attacks on a target that this machine can create. */
export function attacksOn({ isFolder }: Target, choice: AttackChoice = "all"): readonly Attack[] {
  const kind = isFolder ? "folders" : "files";
  return attacks.filter(
    ({ on, isSkipped, isSharp }) =>
      (on === "both" || on === kind) && isSkipped !== true && (choice === "all" || isSharp === true),
  );
}

/** The names of attacks that this machine cannot create. */
export const skippedAttacks = attacks.filter(({ isSkipped }) => isSkipped).map(({ name }) => name);

function clear(path: string): string {
  rmSync(path, { recursive: true, force: true });
  return path;
}

function linkTo(path: string, target: string): void {
  symlinkSync(target, clear(path));
}

function writeOld(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content);
  utimesSync(path, longAgo, longAgo);
}

/**
 * Copies the original to the outside, so that a program that follows a link finds the bytes that it expects. One word
 * of the copy is changed, and the copy is old enough to be swept.
 */
function copyOutside(path: string, { outside }: SampleRepository, kind: "file" | "folder"): string {
  const target = join(outside, `${kind}-${basename(path)}`);
  const isFolder = statSync(path).isDirectory();
  if (isFolder === (kind === "folder")) copyWithOutsideWord(path, target);
  else if (kind === "file") writeOld(target, `the ${outsideWord} text\n`);
  else {
    mkdirSync(target);
    for (const name of ["draft", "0123456789abcdef01234567", "run.json", "spec.json"])
      writeOld(join(target, name), `the ${outsideWord} text\n`);
  }
  return target;
}

function copyWithOutsideWord(from: string, to: string): void {
  if (lstatSync(from).isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) copyWithOutsideWord(join(from, name), join(to, name));
    utimesSync(to, longAgo, longAgo);
  } else writeOld(to, readFileSync(from, "latin1").replaceAll(innocentWord, outsideWord));
}

/** Creates a socket. The socket is bound elsewhere and then moved, because the path of a socket must be short. */
async function placeSocket(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "s-"));
  const bound = join(folder, "s");
  const server = createServer((connection) => connection.destroy());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(bound, resolve));
  renameSync(bound, path);
  server.close();
  rmSync(folder, { recursive: true });
}

function placeSparse(path: string, size: number): void {
  const file = openSync(path, "w");
  ftruncateSync(file, size);
  closeSync(file);
  utimesSync(path, longAgo, longAgo);
}

/** Returns the same bytes in every run. */
function randomBytes(count: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: count }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return state & 0xff;
  });
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

function canMakeDevices(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "d-"));
  try {
    return spawnSync("mknod", [join(folder, "d"), "c", "1", "5"]).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
