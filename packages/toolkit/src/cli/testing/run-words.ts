import { PassThrough, Readable } from "node:stream";
import type { Envelope } from "@foundry-mcp/contract";
import type { CliOptions, RegistrySource } from "../cli-options.ts";
import { runCli } from "../run-cli.ts";

/** The result of a command line. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The envelope on stdout; throws if stdout is not one line. */
  readonly envelope: Envelope;
}

/** The properties of the simulated terminal. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly stdin?: string | Uint8Array;
}

/** Runs a command line on a registry with captured streams. */
export async function runWords(
  source: RegistrySource,
  argv: readonly string[],
  { stdin = "", ...look }: Terminal = {},
  options: Partial<CliOptions> = {},
): Promise<Ran> {
  const [stdout, stderr] = [createScreen(look), createScreen(look)];
  const code = await runCli(source, {
    name: "demo",
    argv,
    stdin: Readable.from([stdin]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    signals: false,
    ...options,
  });
  return {
    code,
    stdout: stdout.text(),
    stderr: stderr.text(),
    get envelope() {
      const line = /^[^\n]+\n$/.exec(stdout.text())?.[0];
      if (line === undefined) throw new Error(`stdout is not one line: ${stdout.text()}`);
      return JSON.parse(line) as Envelope;
    },
  };
}

/** Creates a stream that captures its text. */
export function createScreen(look: Omit<Terminal, "stdin"> = {}) {
  const chunks: Buffer[] = [];
  const stream = Object.assign(new PassThrough(), look);
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}
