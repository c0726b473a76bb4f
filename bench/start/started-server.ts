import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** A program that serves MCP over stdio, and the folder and environment in which it runs. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running server that has answered `tools/list`. */
export interface StartedServer {
  /** The answer to `tools/list`. */
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  /** Calls a tool and returns the result. Throws at a protocol error. */
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the resident memory of the process and of its children in bytes. */
  memory(): Promise<number>;
  /** Kills the server, which takes less time than letting it end. */
  close(): Promise<void>;
  /** Closes the stdin of the server, as clients do, and kills the server if it does not end. */
  end(): Promise<void>;
}

/** The longest time in milliseconds that a server may take for an answer. */
const maxMs = 60_000;
/** The longest time in milliseconds that a server may take to end. */
const maxEndMs = 5_000;

/** Starts a server and connects to it, from the start of the process to the answer to `tools/list`. */
export async function startServer({ command, args, cwd, env }: ServerProgram): Promise<StartedServer> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  // Each waiting request listens to the end of the process.
  child.setMaxListeners(0);
  const waiting = new Map<number, (answer: Readonly<Record<string, unknown>>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Some servers write log lines to stdout.
    if (!line.startsWith("{")) return;
    const message = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const { id } = message;
    if (typeof id === "number" && message["method"] === undefined) waiting.get(id)?.(message);
  });
  let last = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
    const id = ++last;
    const answer = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error(`${command} did not answer ${method}.`)), maxMs);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(id);
        child.off("close", onEnd).off("error", fail);
      };
      const fail = (thrown: Error) => {
        end();
        reject(thrown);
      };
      const onEnd = () => fail(new Error(`${command} ended before it answered ${method}.`));
      child.once("close", onEnd).once("error", fail);
      waiting.set(id, (message) => {
        end();
        resolve(message);
      });
      send({ id, method, params });
    });
    if (answer["error"] !== undefined) throw new Error(`${method}: ${JSON.stringify(answer["error"])}`);
    return answer["result"] as Readonly<Record<string, unknown>>;
  };
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const end = async () => {
    const timer = setTimeout(() => child.kill("SIGKILL"), maxEndMs);
    child.stdin.end();
    await ended;
    clearTimeout(timer);
  };
  try {
    await request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    });
    send({ method: "notifications/initialized" });
    const { tools } = await request("tools/list", {});
    return {
      tools: tools as StartedServer["tools"],
      call: (name, input) => request("tools/call", { name, arguments: input }),
      memory: () => readMemory(child),
      close,
      end,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function readMemory({ pid }: ChildProcess): Promise<number> {
  let bytes = 0;
  const pids = [pid];
  // A launcher may have started the server as another process.
  for (const each of pids) {
    const status = await readFile(`/proc/${each}/status`, "utf8").catch(() => "");
    bytes += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
    const children = await readFile(`/proc/${each}/task/${each}/children`, "utf8").catch(() => "");
    pids.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return bytes;
}
