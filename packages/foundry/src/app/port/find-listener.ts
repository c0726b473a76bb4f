import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { wildcards } from "./wildcards.ts";

/** The process that listens on a port, as far as this user can determine it. */
export interface Listener {
  readonly pid: number;
  /** The name of the program without its arguments, which may contain secrets: `node foundry-cli.cjs`. */
  readonly program: string;
}

/**
 * Finds the process that listens at an address, using /proc on Linux. Returns undefined on other systems, and for a
 * process of another user.
 */
export async function findListener(address: string, port: number): Promise<Listener | undefined> {
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => read(`/proc/net/${name}`)));
  const sockets = new Set(
    tables
      .flatMap((text) => parseListeners(text))
      .filter((each) => each.port === port && overlap(each.address, address))
      .map(({ inode }) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return undefined;
  for (const name of await list("/proc")) {
    if (!/^\d+$/.test(name) || !(await holdsAny(`/proc/${name}/fd`, sockets))) continue;
    return { pid: Number(name), program: toProgram(await read(`/proc/${name}/cmdline`)) };
  }
  return undefined;
}

/** A listening socket. */
export interface ListeningSocket {
  readonly address: string;
  readonly port: number;
  readonly inode: string;
}

const listening = "0A";

/** Parses /proc/net/tcp or tcp6. Every row except the first describes a socket. */
export function parseListeners(table: string): readonly ListeningSocket[] {
  return table
    .split("\n")
    .slice(1)
    .flatMap((row) => {
      const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
      const [hex = "", port = ""] = local.split(":");
      return state === listening ? [{ address: toAddress(hex), port: Number.parseInt(port, 16), inode }] : [];
    });
}

/**
 * Converts an address from /proc/net to its usual form. The kernel prints an address as hexadecimal words of 32 bits, and
 * the bytes of each word are in the byte order of the processor (little-endian).
 */
function toAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).toReversed());
  const isMapped =
    bytes.length === 16 && bytes.slice(0, 12).join("") === `${"00".repeat(10)}ffff`.toUpperCase();
  if (bytes.length === 4 || isMapped)
    return bytes
      .slice(-4)
      .map((byte) => Number.parseInt(byte, 16))
      .join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.slice(index * 2, index * 2 + 2).join(""));
  // The URL class converts an address to its canonical form.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** True if two servers cannot listen at both addresses. */
function overlap(one: string, other: string): boolean {
  return one === other || wildcards.has(one) || wildcards.has(other);
}

async function holdsAny(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  for (const name of await list(folder))
    if (sockets.has(await readlink(`${folder}/${name}`).catch(() => ""))) return true;
  return false;
}

const interpreters = /^(?:node|bun|deno|python[\d.]*|ruby|perl|php|java)$/;
const maxLength = 60;

/** Returns the name of a program from its command line. For an interpreter, the name includes the script. */
export function toProgram(commandLine: string): string {
  const [path = "", script = ""] = commandLine.split("\0");
  // Some programs overwrite their command line with a title.
  const program = basename(path.split(" ", 1)[0] ?? "").replace(/:$/, "");
  const isScript = interpreters.test(program) && script !== "" && !script.startsWith("-");
  return (isScript ? `${program} ${basename(script)}` : program).slice(0, maxLength);
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

function list(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
