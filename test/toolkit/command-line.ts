import { PassThrough, Writable } from "node:stream";
import type { Registry } from "@foundry-mcp/toolkit";
import { runCli, toArgv } from "@foundry-mcp/toolkit/cli";

/** What a shell would see of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A stream that keeps what is written to it. */
class Kept extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs a command line in this process, with streams of its own. */
export async function runCommand(
  registry: Registry,
  argv: readonly string[],
  input = "",
): Promise<CommandResult> {
  const [stdout, stderr, stdin] = [new Kept(), new Kept(), new PassThrough()];
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

/** Whether a call names a tool and an action that are there: only then is there a command for it. */
export function isCommand(registry: Registry, tool: string, args: Record<string, unknown> = {}): boolean {
  try {
    toArgv(registry, tool, args);
    return true;
  } catch {
    return false;
  }
}
