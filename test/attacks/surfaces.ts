import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Envelope } from "@foundry-mcp/contract";
import { cacheHome, foundryCli, foundryMcp } from "../bins.ts";

/** A call as every surface can make it. */
export interface Call {
  readonly tool: string;
  readonly args: object;
  /** The same on the command line; undefined where it has no such command. */
  readonly argv?: readonly string[];
  /** True where it is refused although nothing is hostile: its failure tells what was read. */
  readonly isRefused?: boolean;
}

/** The answer to a call: the envelope, and everything that the caller sees. */
export interface Answer {
  readonly envelope: Envelope;
  readonly text: string;
  /** Of HTTP. */
  readonly status?: number;
}

/** Where a program runs. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** A way to call, with a process that may be hurt by what it reads. */
export interface Surface {
  readonly name: string;
  /** True where each call is a process of its own. */
  readonly isOneShot: boolean;
  /** Throws where there is no answer in time, or none that is an envelope. */
  call(call: Call): Promise<Answer>;
  /** The most memory that a process has used so far, in MB. */
  peakMb(): number;
  /** Kills the process and starts a new one. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** Asks the process to end; false where it has to be killed. */
  end(): Promise<boolean>;
}

/** No call takes this long unless it hangs: all answer within milliseconds, or seconds where others keep the cores busy. */
const deadlineMs = 60_000;

const isRoot = process.getuid?.() === 0;
const dropRights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
/** Takes away the right of root to read everything, so that permissions mean for it what they mean for others. */
const withoutRights =
  isRoot && spawnSync(dropRights[0] ?? "", [...dropRights.slice(1), "true"]).status === 0 ? dropRights : [];

/** True where a file without permissions cannot be read. */
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

/** Rejects where something takes longer than any call should. */
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

/** The peak of a process's memory where the system reports it, as Linux does; 0 elsewhere. */
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

/** Opens a surface with one process that lives through many calls. */
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

/** A call in one line. */
export function describeCall({ tool, args }: Call): string {
  return `${tool} ${JSON.stringify(args)}`;
}

/** Starts `foundry-mcp` and speaks MCP over its streams. */
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
  // A process that was killed takes no more requests.
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

/** Runs a command to its end, or kills it when it is late. */
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
    // Asked first: a command that hangs should at least end when it is told to.
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
