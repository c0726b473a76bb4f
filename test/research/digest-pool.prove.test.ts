import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createDigestPool } from "#built/foundry/research/documents/digest-pool.js";
import { writePdf } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";

type Pool = ReturnType<typeof createDigestPool>;
type PoolOptions = NonNullable<Parameters<typeof createDigestPool>[0]>;

const pools: Pool[] = [];
const open = (options: PoolOptions = {}) => {
  const pool = createDigestPool(options);
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const never = new AbortController().signal;
const sentence = (at: number) => `The tide of coast ${at} turns when the moon is high, for reason ${at}. `;
/** Returns a text of this many bytes. */
const textOf = (bytes: number) => {
  const some = Array.from({ length: 1_000 }, (_, at) => sentence(at)).join("");
  return Buffer.from(some.repeat(Math.ceil(bytes / some.length)).slice(0, bytes));
};
const large = (bytes = 200_000) => ({ bytes: textOf(bytes), name: "tides.txt" });
const asked = { query: "When does the tide turn?" };

/** Counts the worker threads that are started during some work. */
async function threadsOf<T>(work: () => Promise<T>): Promise<{ threads: readonly Worker[]; result: T }> {
  const threads: Worker[] = [];
  const hear = (worker: Worker) => void threads.push(worker);
  process.on("worker", hear);
  try {
    return { result: await work(), threads };
  } finally {
    process.off("worker", hear);
  }
}

/** Creates a worker script from source code. The worker receives one document after the other. */
const programOf = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from "node:worker_threads"; const answer = (digested) => parentPort.postMessage({ digested }); parentPort.on("message", ({ document, options }) => { ${body} });`,
    )}`,
  );
/** Creates a document whose name is an instruction to the worker script. */
const tell = (word: string) => ({ bytes: textOf(100_000), name: word });

describe("createDigestPool", () => {
  it("starts workers for large documents and PDFs only", async () => {
    const pool = open();
    const small = await threadsOf(() => pool.digest(large(30_000), asked, never));
    expect([small.threads.length, small.result.type]).toEqual([0, "text"]);
    const text = await threadsOf(() => pool.digest(large(), asked, never));
    expect([text.threads.length, text.result.type]).toEqual([1, "text"]);
    const bytes = writePdf({ pages: [["The tide turns when the moon is high."]] });
    // This call uses the idle worker.
    const pdf = await threadsOf(() => pool.digest({ bytes, name: "tides.pdf" }, asked, never));
    expect([pdf.threads.length, pdf.result.type]).toEqual([0, "pdf"]);
    expect(Buffer.from(pdf.result.text).toString()).toBe("The tide turns when the moon is high.");
  });

  it("does not block the event loop while 20 MB are digested", async () => {
    const document = large(20_000_000);
    const { length } = document.bytes;
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const digesting = open().digest(document, asked, never);
    setImmediate(count);
    const { chars, digest } = await digesting;
    isOver = true;
    expect(turns).toBeGreaterThan(10);
    expect([length - chars < 2, digest?.evidence_snippets.length]).toEqual([true, 5]);
  });

  it("digests more documents than it has workers, with the same results", async () => {
    const pool = open({ size: 2 });
    // Transferred bytes are detached, so each document is created again.
    const documentOf = (at: number) => ({
      bytes: Buffer.from(`${sentence(at + 5_000)}${textOf(80_000)}`),
      name: `${at}.txt`,
    });
    const numbers = Array.from({ length: 12 }, (_, at) => at);
    const { threads, result } = await threadsOf(() =>
      Promise.all(numbers.map((at) => pool.digest(documentOf(at), asked, new AbortController().signal))),
    );
    expect(threads.length).toBe(2);
    expect(new Set(result.map(({ hash }) => hash)).size).toBe(12);
    for (const at of numbers) {
      const { hash, digest } = await pool.digest(documentOf(at), asked, never);
      expect({ hash, digest }).toEqual({ hash: result[at]?.hash, digest: result[at]?.digest });
    }
  });

  it("rejects an aborted call with the reason of the signal, and works afterwards", async () => {
    const pool = open({ size: 1 });
    const giveUp = new AbortController();
    const reason = { any: "value" };
    const digesting = pool.digest(large(20_000_000), asked, giveUp.signal);
    setImmediate(() => giveUp.abort(reason));
    await expect(digesting).rejects.toBe(reason);
    await expect(pool.digest(large(), asked, giveUp.signal)).rejects.toBe(reason);
    expect(await pool.digest(large(), asked, never)).toMatchObject({ type: "text", isMatch: true });
  });

  it("gives the slot of an aborted call to the next in the queue", async () => {
    const pool = open({ size: 1 });
    const giveUp = new AbortController();
    const first = pool.digest(large(3_000_000), asked, never);
    const second = pool.digest(large(), asked, giveUp.signal);
    const third = pool.digest(large(), asked, never);
    giveUp.abort("no patience");
    await expect(second).rejects.toBe("no patience");
    expect((await first).type).toBe("text");
    expect((await third).type).toBe("text");
  });

  it("leaves no listeners on a shared signal", async () => {
    const pool = open({ size: 1 });
    const { signal } = new AbortController();
    const warnings: string[] = [];
    const hear = ({ name }: Error) => void warnings.push(name);
    process.on("warning", hear);
    for (let round = 0; round < 5; round++)
      await Promise.all(Array.from({ length: 5 }, () => pool.digest(large(70_000), asked, signal)));
    // Warnings are emitted in a later tick.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });

  it("times out on a slow document, and works afterwards", async () => {
    const program = programOf('if (document.name === "slow") for (;;); answer({ name: document.name })');
    const pool = open({ size: 1, timeoutMs: 300, program });
    await expect(pool.digest(tell("slow"), asked, never)).rejects.toMatchObject({
      name: "UnusableDocument",
      reason: "too_slow",
    });
    // The start of the next worker counts towards its deadline.
    expect(await pool.digest(tell("quick"), asked, never)).toEqual({ name: "quick" });
  });

  it("refuses a document that takes too much memory, and works afterwards", async () => {
    const pool = open({ size: 1, megabytes: 48 });
    const bytes = Buffer.from("<p>a</p>".repeat(2_000_000));
    await expect(pool.digest({ bytes, name: "bomb.html" }, asked, never)).rejects.toMatchObject({
      name: "UnusableDocument",
      reason: "too_large",
      message: "Reading it takes more memory than one document may",
    });
    expect(await pool.digest(large(), asked, never)).toMatchObject({ type: "text", isMatch: true });
  });

  it("reports a document that crashes its worker, and works afterwards", async () => {
    const program = programOf(
      'if (document.name === "throws") throw new Error("planned"); if (document.name === "exits") process.exit(3); answer({ name: document.name })',
    );
    const pool = open({ size: 1, program });
    await expect(pool.digest(tell("throws"), asked, never)).rejects.toMatchObject({ reason: "broken" });
    await expect(pool.digest(tell("exits"), asked, never)).rejects.toThrow("The thread ended");
    // Options that cannot be cloned must not end the worker.
    const odd = { query: (() => "") as unknown as string };
    await expect(pool.digest(tell("quick"), odd, never)).rejects.toThrow("could not be cloned");
    expect(await pool.digest(tell("quick"), asked, never)).toEqual({ name: "quick" });
  });

  it("does not use an idle worker that exited", async () => {
    const program = programOf("answer({ name: document.name }); setImmediate(() => process.exit())");
    const pool = open({ size: 1, program });
    for (const name of ["first", "second"]) {
      const { result, threads } = await threadsOf(() => pool.digest(tell(name), asked, never));
      expect([result, threads.length]).toEqual([{ name }, 1]);
      if (threads[0]?.threadId !== -1) await once(threads[0] as Worker, "exit");
    }
  });

  it("does not use a worker that exited with its reply", async () => {
    const program = programOf("answer({ name: document.name }); process.exit()");
    const pool = open({ size: 1, program, timeoutMs: 10_000 });
    for (const name of ["first", "second", "third"]) {
      // The reply and the exit are handled in one turn of a blocked event loop.
      const digesting = pool.digest(tell(name), asked, never);
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      expect(await digesting).toEqual({ name });
    }
  });

  it("rejects running and queued calls when it is closed", async () => {
    const pool = createDigestPool({ size: 1 });
    const { threads, result } = await threadsOf(async () => {
      const running = [1, 2, 3].map(() => pool.digest(large(20_000_000), asked, never));
      const ended = Promise.allSettled(running);
      await new Promise((resolve) => setImmediate(resolve));
      await pool.close();
      return ended;
    });
    expect(result.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
    await expect(pool.digest(large(), asked, never)).rejects.toThrow("The pool is closed");
  });

  it("does not keep an idle process alive", async () => {
    const place = fileURLToPath(
      new URL("../../packages/foundry/dist/research/documents/digest-pool.js", import.meta.url),
    );
    const script = `
      import { createDigestPool } from ${JSON.stringify(place)};
      const pool = createDigestPool();
      const bytes = new TextEncoder().encode("The tide turns when the moon is high. ".repeat(3_000));
      const { type } = await pool.digest({ bytes, name: "a.txt" }, {}, new AbortController().signal);
      process.stdout.write(type);`;
    const folder = await mkdtemp(join(tmpdir(), "digest-pool-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "script.mjs"), script);
    const child = spawn(process.execPath, [join(folder, "script.mjs")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let written = "";
    child.stdout.on("data", (chunk: Buffer) => {
      written += chunk.toString();
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(written).toBe("text");
  });
});
