import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { findLeaks } from "./leaks.ts";

const script = fileURLToPath(new URL("../../.build/test/toolkit/cli-program.js", import.meta.url));
const runs = 200;

/** Commands, each with the options that it takes. */
const commands: readonly (readonly [words: readonly string[], options: readonly string[]])[] = [
  [["echo"], ["--text", "--times"]],
  [["repeat"], ["--text"]],
  [["settled"], ["--name", "--size", "--tags", "--parent", "--note"]],
  [["open"], ["--known", "--params"]],
  [["unicode"], ["--テキスト"]],
  [["nothing"], ["--max-tokens"]],
  [
    ["note-book", "list"],
    ["--limit", "--cursor", "--min-rank"],
  ],
  [
    ["notes", "get"],
    ["--note-id", "--noteId"],
  ],
  [["note_book", "read_one"], ["--note_id"]],
  [
    ["specs", "find"],
    ["--status", "--limit"],
  ],
  [["validate", "check"], ["--spec-id"]],
  [
    ["tasks", "complete"],
    ["--spec-id", "--task-id"],
  ],
  [
    ["server", "schema"],
    ["--tool", "--for-action"],
  ],
  [
    ["server", "context"],
    ["--timeout", "--request-id"],
  ],
  [["trial", "print"], ["--request-id"]],
];
const wrong: readonly (readonly string[])[] = [
  ["trial"],
  ["nope", "nothing"],
  ["ehco"],
  ["server", "tolls"],
  [],
];
const odd = ["--params", "--timeout", "--max-tokens", "--txet", "--no-text", "-x", "--"];
const value = fc.oneof(
  fc.constantFrom(
    "",
    "-",
    "1",
    "-1",
    "1e9",
    "null",
    "true",
    "[]",
    '{"text":"x"}',
    "{",
    "@",
    "@@x",
    "@/no/such/file",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constant("x".repeat(5_000)),
);
// Arguments of a process cannot contain a null character.
const word = value.map((text) => text.replaceAll("\0", "0"));
const sensible = fc
  .constantFrom(...commands)
  .chain(([words, own]) =>
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...own), word), { maxLength: 3, selector: ([flag]) => flag })
      .map((given) => [...words, ...given.map(([flag, text]) => `${flag}=${text}`)]),
  );
const senseless = fc
  .tuple(
    fc.constantFrom(...wrong, ...commands.map(([words]) => words)),
    fc.array(fc.tuple(fc.constantFrom(...odd), word), { maxLength: 3 }),
    fc.array(word, { maxLength: 2 }),
  )
  .map(([words, given, rest]) => [...words, ...given.flat(), ...rest]);
const line = fc
  .oneof({ arbitrary: sensible, weight: 2 }, { arbitrary: senseless, weight: 1 })
  // The filter leaves out command lines with these words, because only they may print anything other than an
  // envelope.
  .filter(
    (argv) => !argv.some((text) => /^--(human|help|version)|^(help|completion|__complete)$/.test(text)),
  );

interface Ran {
  readonly argv: readonly string[];
  readonly code: number | null;
  readonly stdout: string;
}

function run(argv: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [script, ...argv], { stdio: ["pipe", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end("from stdin");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ argv, code, stdout }));
  });
}

it(`${runs} command lines: one line on stdout, an envelope, the right exit code`, async () => {
  const lines = fc.sample(line, { numRuns: runs, seed: Number(process.env["FC_SEED"]) || 20_261_116 });
  const codes: Record<string, number> = {};
  for (let start = 0; start < runs; start += 4) {
    for (const { argv, code, stdout } of await Promise.all(lines.slice(start, start + 4).map(run))) {
      const place = JSON.stringify(argv).slice(0, 500);
      expect(stdout.endsWith("\n") && stdout.indexOf("\n") === stdout.length - 1, place).toBe(true);
      const envelope = JSON.parse(stdout) as Envelope;
      expect(checkEnvelope(envelope, { deep: true }), place).toEqual([]);
      expect(findLeaks(stdout), place).toEqual([]);
      // Exit code 2 means that no tool was called. The failure must then be about the command line, and not about the
      // value of a parameter.
      const { field } = (envelope.data["details"] ?? {}) as { field?: string };
      const isUsage =
        !envelope.success && (field === "command" || String(field).startsWith("-") || code === 2);
      expect(code, `${place} ${stdout.slice(0, 300)}`).toBe(envelope.success ? 0 : isUsage ? 2 : 1);
      if (code === 2) expect(envelope.data["error_type"], place).toBe("validation");
      codes[String(code)] = (codes[String(code)] ?? 0) + 1;
    }
  }
  process.stdout.write(`exit codes of ${runs} runs: ${JSON.stringify(codes)}\n`);
  expect(Object.keys(codes)).toEqual(["0", "1", "2"]);
}, 300_000);
