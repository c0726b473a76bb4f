// Digests a file in a process of its own and tells what that took: node memory-probe.js <file> [query]

import { readFileSync } from "node:fs";
import { resourceUsage } from "node:process";
import { digestDocument } from "#built/foundry/research/documents/digest-document.js";

/** What a process took, in bytes. */
export interface Peaks {
  /** Before the file is read, when all code is loaded. */
  readonly idle: number;
  readonly peak: number;
  readonly input: number;
  readonly ms: number;
}

const [path = "", query] = process.argv.slice(2);
const name = path.replace(/^.*[/\\]/, "");
await digestDocument({ bytes: Buffer.from("The tide is high. ".repeat(100)), name }, { query });
const idle = peakOf();
const bytes = readFileSync(path);
const start = performance.now();
const { digest } = await digestDocument({ bytes, name }, { query });
if (digest === null) throw new Error(`There is no digest of ${name}.`);
const ms = performance.now() - start;
process.stdout.write(JSON.stringify({ idle, peak: peakOf(), input: bytes.length, ms } satisfies Peaks));

/** The most memory that this process has had. */
function peakOf(): number {
  try {
    // Linux counts the process that started this one into maxRSS: that of a large bench would hide everything.
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // Another system, which has its own way to tell.
  }
  return resourceUsage().maxRSS * 1_024;
}
