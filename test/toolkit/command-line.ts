import { PassThrough, Writable } from "node:stream";
import type { Registry } from "@foundry-mcp/toolkit";
import { runCli, toArgv } from "@foundry-mcp/toolkit/cli";

/** The result of a command as a shell sees it. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A stream that captures its text. */
class Capture extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs a command line in this process with captured streams. */
export async function runCommand(
  registry: Registry,
  argv: readonly string[],
  input = "",
): Promise<CommandResult> {
  const [stdout, stderr, stdin] = [new Capture(), new Capture(), new PassThrough()];
  stdin.end(input);
  const code = await runCli(registry, {
    name: "matrix-cli",
    version: "4.0.0",
    argv,
    stdin,
    stdout,
    stderr,
    env: {},
    signals: false,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Returns true if a call names an existing tool and action, so that there is a command for it. */
export function isCommand(registry: Registry, tool: string, args: Record<string, unknown> = {}): boolean {
  try {
    toArgv(registry, tool, args);
    return true;
  } catch {
    return false;
  }
}
