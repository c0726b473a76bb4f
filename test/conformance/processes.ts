import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startNode, stop } from "./child.ts";

/** The fixture server in a process of its own. */
export interface Fixture {
  readonly url: string;
  close(): Promise<void>;
}

/** It must say where it listens within this time. */
const longestStartMs = 20_000;

/** Starts the fixture server on a free port. */
export async function startFixture(): Promise<Fixture> {
  const script = fileURLToPath(new URL("./fixture-server.js", import.meta.url));
  const child = startNode([script, "0"], { LOG_LEVEL: "fatal" });
  child.stderr?.pipe(process.stderr);
  try {
    if (child.stdout === null) throw new Error("The fixture server has no output");
    const lines = createInterface(child.stdout);
    const [line] = await Promise.race([
      once(lines, "line", { signal: AbortSignal.timeout(longestStartMs) }),
      once(lines, "close"),
    ]);
    const url = String(line);
    if (!URL.canParse(url)) throw new Error("The fixture server ended before it listened");
    return { url, close: () => stop(child) };
  } catch (thrown) {
    await stop(child);
    throw thrown;
  }
}
