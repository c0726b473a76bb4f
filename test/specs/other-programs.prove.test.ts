import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { callCli, type HttpServer, openHttpServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const run = promisify(execFile);

/** The number of times that another program writes the file. */
const times = 300;
const env = { FOUNDRY_HISTORY: "100000" };

interface Answer {
  readonly envelope: Envelope;
  /** The HTTP status, or 0 for a command. */
  readonly status: number;
  readonly content: string;
}

let workspace: TestWorkspace;
let server: HttpServer;
let file: string;
beforeEach(async () => {
  workspace = await createWorkspace();
  file = await workspace.write("active/shared.json", specOf("shared"));
  server = await openHttpServer(workspace.folder, ["--tools", "all"], env);
});
afterEach(async () => {
  await server.close();
  await workspace.remove();
});

/** Writes journal entries over HTTP and from the command line until it is stopped. */
class Writers {
  readonly answers: Answer[] = [];
  readonly #events = new EventTarget();
  #isStopped = false;
  #count = 0;
  readonly #running: readonly Promise<void>[];

  constructor() {
    this.#running = [
      this.#run((content) => this.#post(content)),
      this.#run((content) => this.#post(content)),
      this.#run((content) => this.#command(content)),
    ];
  }

  /** Resolves with the next acknowledged change. */
  async acknowledged(): Promise<void> {
    await once(this.#events, "acknowledged");
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(call: (content: string) => Promise<Answer>): Promise<void> {
    while (!this.#isStopped) {
      const answer = await call(`entry ${this.#count++}.`);
      this.answers.push(answer);
      if (answer.envelope.success) this.#events.dispatchEvent(new Event("acknowledged"));
    }
  }

  async #post(content: string): Promise<Answer> {
    const response = await fetch(new URL("/api/tools/journal", server.url), {
      method: "POST",
      body: JSON.stringify({ action: "add", spec_id: "shared", title: "A note", content }),
    });
    return { envelope: (await response.json()) as Envelope, status: response.status, content };
  }

  async #command(content: string): Promise<Answer> {
    const argv = ["journal", "add", "shared", "--title", "A note", "--content", content];
    return { envelope: await callCli(argv, { cwd: workspace.folder, env }), status: 0, content };
  }
}

/** Compares the answers with the history. Returns figures to print. */
async function judge(answers: readonly Answer[], markers: readonly string[] = []) {
  const store = openFileStore({ root: workspace.specs, keepRevisions: 100_000 });
  const failed = answers.filter(({ envelope }) => !envelope.success);
  const internal = failed.filter(
    ({ envelope, status }) =>
      (status >= 500 && codeOf(envelope) !== "RESOURCE_BUSY") || codeOf(envelope) === "INTERNAL_ERROR",
  );
  const acknowledged = new Map(
    answers.flatMap((answer) =>
      answer.envelope.success
        ? [[(answer.envelope.data as { revision: string }).revision, answer] as const]
        : [],
    ),
  );
  const now = await readFile(file, "utf8");
  const entries = await store.history("shared");
  const texts = new Map<string, string>();
  for (const { revision } of entries)
    texts.set(revision, Buffer.from(await store.readRevision("shared", revision)).toString());
  const lost = [...acknowledged].filter(
    ([revision, { content }]) => !now.includes(content) && !texts.get(revision)?.includes(content),
  );
  const onlyInHistory = [...acknowledged.values()].filter(({ content }) => !now.includes(content));
  // The list begins with the newest entry, so the revision before an edit by another program is the next entry of the
  // list.
  const silent: string[] = [];
  let overwritten = 0;
  for (const [index, entry] of entries.entries()) {
    const [after, before] = [entries[index - 1], entries[index + 1]];
    if (entry.action !== "edited outside" || before?.action !== "journal add") continue;
    overwritten++;
    const answer = after && acknowledged.get(after.revision);
    const warnings = answer?.envelope.meta.warnings ?? [];
    const isLate = warnings.some((each) => each.includes(`kept as revision ${entry.revision}`));
    if (
      after?.action === "journal add" &&
      !isLate &&
      !warnings.some((each) => each.includes(`revision ${before.revision} `))
    )
      silent.push(`${before.revision} -> ${entry.revision} -> ${after.revision}: ${warnings.join(" | ")}`);
  }
  const missing = markers.filter(
    (each) => !now.includes(each) && ![...texts.values()].some((text) => text.includes(each)),
  );
  await store.close();
  const codes: Record<string, number> = {};
  for (const { envelope } of failed) codes[codeOf(envelope)] = (codes[codeOf(envelope)] ?? 0) + 1;
  return {
    ...{ internal, lost, silent, missing },
    figures: {
      answers: answers.length,
      acknowledged: acknowledged.size,
      restorable_only: onlyInHistory.length,
      overwritten,
      failed: codes,
    },
  };
}

/** Prints the counts. */
function report(name: string, counts: object): void {
  process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
}

function codeOf(envelope: Envelope): string {
  return (envelope.data as { error_code?: string }).error_code ?? "";
}

describe("other programs at the same file", () => {
  it(`${times} git checkouts under constant writes lose no acknowledged change, and are told`, async () => {
    const git = (...args: readonly string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
        cwd: workspace.folder,
        env: { PATH: process.env["PATH"], HOME: workspace.folder, GIT_CONFIG_NOSYSTEM: "1" },
      });
    await writeFile(join(workspace.folder, ".gitignore"), ".foundry/\n.config/\n");
    await git("init", "-q", "-b", "main");
    await git("add", ".gitignore", "specs");
    await git("commit", "-q", "-m", "main");
    await git("checkout", "-q", "-b", "other");
    await workspace.write("active/shared.json", specOf("shared", { title: "On the other branch", tasks: 5 }));
    await git("commit", "-q", "-a", "-m", "other");
    const writers = new Writers();
    for (let count = 0; count < times; count++) {
      await writers.acknowledged();
      const checkOut = () => git("checkout", "-q", "-f", count % 2 === 0 ? "main" : "other");
      // git removes a file before it creates the new version, and fails if another program creates the file in
      // between. A person would repeat the command.
      await checkOut().catch((failed: Error) => {
        if (!failed.message.includes("File exists")) throw failed;
        return checkOut();
      });
    }
    await writers.acknowledged();
    await writers.stop();
    const { internal, lost, silent, figures } = await judge(writers.answers);
    report("git checkout", {
      checkouts: times,
      ...figures,
      internal: internal.length,
      lost: lost.length,
      silent: silent.length,
    });
    expect({ internal, lost, silent }).toEqual({ internal: [], lost: [], silent: [] });
    expect(figures.overwritten).toBeGreaterThan(times / 4);
  }, 600_000);

  it(`${times} rewrites in place under constant writes lose neither changes nor edits, and are told`, async () => {
    const writers = new Writers();
    const markers: string[] = [];
    for (let count = 0; count < times; count++) {
      await writers.acknowledged();
      // This code writes like many editors: the file is truncated and then written, with the same inode.
      const spec = JSON.parse(readFileSync(file, "utf8")) as { metadata: { success_criteria: string[] } };
      const marker = `by hand ${count}.`;
      spec.metadata.success_criteria.push(marker);
      markers.push(marker);
      writeFileSync(file, JSON.stringify(spec, null, 2));
    }
    await writers.acknowledged();
    await writers.acknowledged();
    await writers.stop();
    const { internal, lost, silent, missing, figures } = await judge(writers.answers, markers);
    report("in place", {
      rewrites: times,
      ...figures,
      internal: internal.length,
      lost: lost.length,
      silent: silent.length,
      missing: missing.length,
    });
    expect({ internal, lost, silent, missing }).toEqual({ internal: [], lost: [], silent: [], missing: [] });
    expect(figures.overwritten).toBeGreaterThan(times / 4);
  }, 600_000);
});
