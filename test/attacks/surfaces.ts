import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Envelope } from "@foundry-mcp/contract";
import { cacheHome, foundryCli, foundryMcp } from "../bins.ts";

/** A call in a form that every surface can make. */
export interface Call {
  readonly tool: string;
  readonly args: object;
  /** The same call on the command line. Undefined if there is no such command. */
  readonly argv?: readonly string[];
  /** True if the call is refused even without an attack. Its failure shows what the server has read. */
  readonly isRefused?: boolean;
}

/** The answer to a call: the envelope, and everything that the caller sees. */
export interface Answer {
  readonly envelope: Envelope;
  readonly text: string;
  /** The HTTP status. Undefined for other surfaces. */
  readonly status?: number;
}

/** The folder and environment in which a program runs. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** A way to make calls, with a process that its input may harm. */
export interface Surface {
  readonly name: string;
  /** True if each call is a separate process. */
  readonly isOneShot: boolean;
  /** Makes a call. Throws if no answer arrives in time, or if the answer is not an envelope. */
  call(call: Call): Promise<Answer>;
  /** Returns the maximum memory that a process has used so far, in MB. */
  peakMb(): number;
  /** Kills the process and starts a new one. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** Requests the process to end. Returns false if the process has to be killed. */
  end(): Promise<boolean>;
}

/**
 * The deadline of a call. Only a hanging call takes this long: all calls answer within milliseconds, or within
 * seconds on a busy machine.
 */
const deadlineMs = 60_000;

const isRoot = process.getuid?.() === 0;
const dropRights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
/**
 * A command that removes root's right to read everything, so that permissions apply to root in the same way as to
 * other users.
 */
const withoutRights =
  isRoot && spawnSync(dropRights[0] ?? "", [...dropRights.slice(1), "true"]).status === 0 ? dropRights : [];

/** True if a file without permissions cannot be read. */
export const canForbid = !isRoot || withoutRights.length > 0;

function start(script: string, args: readonly string[], { cwd, home }: Place): ChildProcess {
  const [program = "", ...rest] = [...withoutRights, process.execPath, script, ...args];
  return spawn(program, rest, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_CONFIG_HOME: `${home}/.config`,
      XDG_CACHE_HOME: cacheHome,
      FOUNDRY_LOG_LEVEL: "error",
    },
  });
}

/** Rejects if the work takes longer than the deadline of a call. */
async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms: ${what}`)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the peak memory of a process if the system reports it, as Linux does. Returns 0 on other systems. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

async function endChild(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const ended = once(child, "close");
  child.kill("SIGTERM");
  try {
    await inTime("SIGTERM", ended);
    return true;
  } catch {
    await killChild(child);
    return false;
  }
}

/** Opens a surface with one process that handles many calls. */
async function openServer<C extends { readonly child: ChildProcess }>(
  name: string,
  connect: () => Promise<C>,
  call: (connection: C, call: Call) => Promise<Answer>,
): Promise<Surface> {
  let connection = await connect();
  return {
    name,
    isOneShot: false,
    call: (each) => inTime(describeCall(each), call(connection, each)),
    peakMb: () => peakOf(connection.child),
    async restart() {
      await killChild(connection.child);
      connection = await connect();
    },
    kill: () => killChild(connection.child),
    end: () => endChild(connection.child),
  };
}

/** Formats a call on one line. */
export function describeCall({ tool, args }: Call): string {
  return `${tool} ${JSON.stringify(args)}`;
}

/** Starts `foundry-mcp` and uses MCP over its streams. */
export function openStdioSurface(place: Place): Promise<Surface> {
  return openServer("stdio", () => connectStdio(place), callStdio);
}

interface StdioConnection {
  readonly child: ChildProcess;
  request(method: string, params: object): Promise<{ readonly result?: Record<string, unknown> }>;
}

async function connectStdio(place: Place): Promise<StdioConnection> {
  const child = start(foundryMcp, ["--tools", "all"], place);
  const waiting = new Map<number, (message: { result?: Record<string, unknown> }) => void>();
  let [rest, said, nextId] = ["", "", 0];
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  // A process that was killed accepts no requests.
  child.stdin?.on("error", () => {});
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as { id?: number; result?: Record<string, unknown> };
      waiting.get(message.id ?? -1)?.(message);
    }
  });
  const request: StdioConnection["request"] = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++nextId;
      waiting.set(id, resolve);
      child.once("close", () => reject(new Error(`the server ended: ${said.slice(-2_000)}`)));
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  child.setMaxListeners(0);
  await inTime(
    "initialize",
    request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "attack", version: "1.0.0" },
    }),
  );
  child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return { child, request };
}

async function callStdio({ request }: StdioConnection, { tool, args }: Call): Promise<Answer> {
  const message = await request("tools/call", { name: tool, arguments: args });
  const envelope = message.result?.["structuredContent"] as Envelope | undefined;
  const text = JSON.stringify(message);
  if (envelope === undefined) throw new Error(`no envelope: ${text.slice(0, 500)}`);
  return { envelope, text };
}

/** Starts `foundry-cli serve` and calls its tools over HTTP. */
export function openHttpSurface(place: Place): Promise<Surface> {
  return openServer("HTTP", () => connectHttp(place), callHttp);
}

interface HttpConnection {
  readonly child: ChildProcess;
  readonly origin: string;
}

async function connectHttp(place: Place): Promise<HttpConnection> {
  const child = start(foundryCli, ["serve", "--port", "0", "--tools", "all"], place);
  let said = "";
  const origin = new Promise<string>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /MCP at (http:\S+)\/mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("close", (code) => reject(new Error(`serve ended with ${code}: ${said.slice(-2_000)}`)));
  });
  try {
    return { child, origin: await inTime("serve", origin) };
  } catch (err) {
    await killChild(child);
    throw err;
  }
}

async function callHttp({ origin }: HttpConnection, { tool, args }: Call): Promise<Answer> {
  const response = await fetch(`${origin}/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(args),
    signal: AbortSignal.timeout(deadlineMs),
  });
  const text = await response.text();
  return { envelope: JSON.parse(text) as Envelope, text, status: response.status };
}

/** Runs `foundry-cli` once for every call. */
export function openCliSurface(place: Place): Surface {
  let peak = 0;
  return {
    name: "the command line",
    isOneShot: true,
    async call(call) {
      const ran = await runCommand(call.argv ?? [], place);
      peak = Math.max(peak, ran.peakMb);
      return ran;
    },
    peakMb: () => peak,
    async restart() {
      peak = 0;
    },
    kill: async () => {},
    end: async () => true,
  };
}

/** Runs a command to its end, or kills it if it takes too long. */
async function runCommand(
  argv: readonly string[],
  place: Place,
): Promise<Answer & { readonly peakMb: number }> {
  const child = start(foundryCli, argv, place);
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  let peakMb = 0;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child));
  }, 200);
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => {});
  child.stdin?.end();
  try {
    await inTime(argv.join(" "), once(child, "close"));
  } finally {
    clearInterval(sampling);
    // SIGTERM is tried first, because even a command that hangs should react to this signal.
    if (!(await endChild(child))) stderr.push(Buffer.from(" and it ignored SIGTERM"));
  }
  const printed = Buffer.concat(stdout).toString();
  const text = `${printed}${Buffer.concat(stderr).toString()}`;
  try {
    return { envelope: JSON.parse(printed) as Envelope, text, peakMb };
  } catch {
    throw new Error(`no envelope: ${text.slice(0, 500)}`);
  }
}
