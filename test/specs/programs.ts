import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Envelope } from "@foundry-mcp/contract";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { cacheHome, emptyHome, foundryCli, foundryMcp } from "../bins.ts";

export const cliScript = foundryCli;
export const serverScript = foundryMcp;

/** Options of running a program. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that is put before the program and limits what it can do. */
  readonly wrap?: readonly string[];
  readonly input?: string;
}

/** The result of a program as a shell sees it. */
export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the environment of every program. Settings of the person who runs the tests must not apply. */
export const plainEnv = (cwd: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: emptyHome,
  XDG_CONFIG_HOME: `${cwd}/.config`,
  XDG_CACHE_HOME: cacheHome,
});

/** Runs a command to its end. */
export async function runProgram(command: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, env = {}, wrap = [], input = "" } = options;
  const [program = "", ...args] = [...wrap, ...command];
  const child = spawn(program, args, { cwd, env: { ...plainEnv(cwd), ...env } });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // The program may end before it has read its whole input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** Runs `foundry-cli`. */
export function runCli(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  return runProgram([process.execPath, cliScript, ...argv], options);
}

/** Returns the only envelope that a command prints. */
export async function callCli(argv: readonly string[], options: RunOptions): Promise<Envelope> {
  const { code, stdout, stderr } = await runCli(argv, options);
  const lines = stdout.split("\n");
  if (lines.length !== 2 || lines[1] !== "")
    throw new Error(`${argv.join(" ")} printed ${JSON.stringify(stdout.slice(0, 500))}, and ${stderr}`);
  const envelope = JSON.parse(lines[0] ?? "") as Envelope;
  if ((code === 0) !== envelope.success) throw new Error(`${argv.join(" ")} ended with ${code}: ${stdout}`);
  return envelope;
}

/** Starts `foundry-mcp` in a folder and connects to it over stdio. */
export function openStdioServer(
  cwd: string,
  args: readonly string[] = ["--tools", "all"],
  env: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  return connect({
    command: process.execPath,
    args: [serverScript, ...args],
    cwd,
    env: { ...plainEnv(cwd), FOUNDRY_LOG_LEVEL: "error", ...env },
    stderr: "ignore",
  });
}

/** A server over HTTP. */
export interface HttpServer {
  /** The URL of MCP. */
  readonly url: string;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

/** Starts `foundry-cli serve` in a folder, on any port. */
export async function openHttpServer(
  cwd: string,
  args: readonly string[] = ["--tools", "all"],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const child = spawn(
    process.execPath,
    [cliScript, "serve", "--port", "0", "--log-level", "error", ...args],
    {
      cwd,
      env: { ...plainEnv(cwd), ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /MCP at (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
  return {
    url,
    child,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
