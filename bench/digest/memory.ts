import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { languages, largeText, toHtml, toMarkdown } from "./large-texts.ts";
import type { Peaks } from "./memory-probe.ts";

/**
 * The maximum memory of a digest, as a multiple of the document's size. The memory of the idle process is not
 * counted.
 */
export const mostTimes = 8;

/** A row of the memory table, in MB. */
export interface MemoryRow {
  readonly document: string;
  readonly input: number;
  readonly idle: number;
  readonly peak: number;
  /** The peak minus the idle memory, divided by the input size. */
  readonly times: number;
  readonly verdict: "met" | "MISSED" | "";
}

/** A section with a table of memory sizes in addition to the table of times. */
export interface MemorySection extends Section {
  readonly memory: readonly MemoryRow[];
}

interface Document {
  readonly name: string;
  readonly file: string;
  readonly text: () => string;
  readonly query?: string;
  readonly isClaimed: boolean;
}

const baseline = "English";

/** Measures the peak memory of a fresh process that digests a large document, for each language and type. */
export async function measureMemory({ quick = false }: RunOptions): Promise<MemorySection> {
  const folder = await mkdtemp(join(tmpdir(), "bench-digest-"));
  try {
    const probed: { name: string; samples: number[]; memory: MemoryRow }[] = [];
    for (const document of documentsOf((quick ? 2 : 50) * 1e6)) {
      // The ratio of memory to document size is meaningful only for large documents.
      const isClaimed = document.isClaimed && !quick;
      const path = join(folder, document.file);
      await writeFile(path, document.text());
      const peaks = await probe(path, document.query);
      await rm(path);
      probed.push({
        name: document.name,
        samples: [peaks.ms],
        memory: toRow({ ...document, isClaimed }, peaks),
      });
    }
    return {
      title: "A document in a fresh process",
      result: toMeasurement(probed, baseline),
      memory: probed.map(({ memory }) => memory),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function documentsOf(bytes: number): readonly Document[] {
  const [english] = languages;
  const texts = languages.map(({ name, code }) => ({
    name: name as string,
    file: `${code}.txt`,
    text: () => largeText(code, bytes),
    isClaimed: true,
  }));
  const asked = { name: "English by a query", file: "en.txt", query: english.query, isClaimed: true };
  return [
    ...texts,
    { ...asked, text: () => largeText("en", bytes) },
    { name: "Markdown", file: "en.md", text: () => toMarkdown(largeText("en", bytes)), isClaimed: true },
    { name: "HTML", file: "en.html", text: () => toHtml(largeText("en", bytes)), isClaimed: true },
    { name: `A/A ${baseline}`, file: "en.txt", text: () => largeText("en", bytes), isClaimed: true },
  ];
}

async function probe(path: string, query?: string): Promise<Peaks> {
  const program = fileURLToPath(new URL("memory-probe.js", import.meta.url));
  const args = [program, path, ...(query === undefined ? [] : [query])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Peaks;
}

function toRow({ name, isClaimed }: Document, { input, idle, peak }: Peaks): MemoryRow {
  const times = (peak - idle) / input;
  return {
    document: name,
    input: toMegabytes(input),
    idle: toMegabytes(idle),
    peak: toMegabytes(peak),
    times: Math.round(times * 100) / 100,
    verdict: !isClaimed ? "" : times <= mostTimes ? "met" : "MISSED",
  };
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
