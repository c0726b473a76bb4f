// This program digests a file and prints the memory of the process: node memory-probe.js <file> [query]

import { readFileSync } from "node:fs";
import { resourceUsage } from "node:process";
import { digestDocument } from "#built/foundry/research/documents/digest-document.js";

/** The memory of a process, in bytes. */
export interface Peaks {
  /** The memory after all code is loaded and before the file is read. */
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

/** Returns the peak memory of this process. */
function peakOf(): number {
  try {
    // On Linux, maxRSS includes the parent process, whose memory may be larger.
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // Systems other than Linux may have no /proc.
  }
  return resourceUsage().maxRSS * 1_024;
}
