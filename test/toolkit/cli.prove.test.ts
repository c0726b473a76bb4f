import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkEnvelope, type Envelope, type Failure } from "@foundry-mcp/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The tests run as TypeScript sources, but the programs that they start must be compiled.
const script = fileURLToPath(new URL("../../.build/test/toolkit/cli-program.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cli-test-"));
/** The path of a command that a shell finds by its name. */
const command = join(folder, "trial-cli");

beforeAll(() => {
  if (!existsSync(script)) throw new Error("Cannot run the command line: run tsc -b first");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(command, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface How {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  /** Called with the output on stderr so far, and with a function that sends a signal. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

function run(
  program: string,
  args: readonly string[],
  { stdin = "", env = {}, onStderr }: How = {},
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, ...env },
  });
  const out: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onStderr?.(stderr, (signal) => child.kill(signal));
  });
  // A program that does not read its stdin may have ended.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString("utf8"), stderr }),
    );
  });
}

const cli = (args: readonly string[], how?: How) => run(process.execPath, [script, ...args], how);
const shell = (line: string) => run("bash", ["-c", line]);

/** Parses the only line of the output, and checks it against the contract. */
function envelopeOf({ stdout }: Ran): Envelope {
  expect(stdout).toMatch(/^[^\n]+\n$/);
  const envelope = JSON.parse(stdout) as Envelope;
  expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  return envelope;
}

describe("a command in a process of its own", () => {
  it.each<[string, object]>([
    [
      "specs find --status active --limit 50",
      { specs: [0, 1, 2].map((n) => ({ id: `spec-${n}`, status: "active" })) },
    ],
    ["specs list --status completed --limit 1", { specs: [{ id: "spec-0", status: "completed" }] }],
    ["validate check my-spec", { spec_id: "my-spec", valid: true }],
    ["tasks complete bad-spec bad-task", { spec_id: "bad-spec", task_id: "bad-task" }],
    ["note_book get --noteId note-03", { note: { id: "note-03", rank: 22 } }],
  ])("answers %s with one line, and ends with 0", async (words, data) => {
    const ran = await cli(words.split(" "));
    expect([ran.code, ran.stderr, envelopeOf(ran).data]).toEqual([0, "", data]);
  });

  it("hears the program's own option before and behind the command, and for a command of its own", async () => {
    for (const words of [
      ["--specs-dir", "here", "folder"],
      ["folder", "--specs-dir", "here"],
      ["folder", "--specs_dir=here"],
    ]) {
      const ran = await cli(words);
      expect([ran.code, ran.stderr, envelopeOf(ran).data]).toEqual([0, "", { folder: "here" }]);
    }
    for (const words of [
      ["--specs-dir", "here", "show-folder"],
      ["show-folder", "--specs-dir", "here"],
    ]) {
      expect(await cli(words)).toEqual({ code: 0, signal: null, stdout: "here\n", stderr: "" });
    }
    const twice = await cli(["--specs-dir", "here", "folder", "--specs-dir", "there"]);
    expect([twice.code, envelopeOf(twice).error]).toEqual([
      2,
      "Cannot read the command line: --specs-dir is given twice",
    ]);
  });

  it("ends with 1 where the call fails", async () => {
    const ran = await cli(["notes", "get", "--note-id", "no"]);
    expect([ran.code, envelopeOf(ran).error]).toEqual([1, "Note not found: no"]);
    const refused = await cli(["notes", "list", "--limit", "many"]);
    expect([refused.code, (envelopeOf(refused) as Failure).data.error_code]).toEqual([1, "INVALID_FORMAT"]);
  });

  it("ends with 2 where no call is made", async () => {
    for (const words of [[], ["nots"], ["notes", "list", "--lmit", "3"], ["echo", "--text", "@nowhere"]]) {
      const ran = await cli(words);
      expect([ran.code, envelopeOf(ran).success]).toEqual([2, false]);
    }
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends with 130 on %s, although the handler hangs",
    async (signal) => {
      let sent = false;
      const ran = await cli(["trial", "hang", "--request-id", "mine"], {
        onStderr: (text, kill) => {
          if (text.includes("hanging") && !sent) kill(signal);
          sent ||= text.includes("hanging");
        },
      });
      const { data, meta } = envelopeOf(ran) as Failure;
      expect([ran.code, ran.signal, data.error_code, meta.request_id]).toEqual([
        130,
        null,
        "CANCELLED",
        "mine",
      ]);
    },
  );

  it.each([
    ["a registry that cannot be made", ["echo", "--text", "x"], { CLI_TRIAL: "crash" }],
    ["a bug of a handler", ["trial", "bug"], {}],
    ["an exception that nothing catches", ["trial", "throw-later"], {}],
    ["a rejection that nothing handles", ["trial", "reject-later"], {}],
  ])("survives %s with an envelope, and ends with 1", async (_title, words, env) => {
    const ran = await cli(words, { env });
    expect([ran.code, (envelopeOf(ran) as Failure).data.error_code]).toEqual([1, "INTERNAL_ERROR"]);
    expect(ran.stdout).not.toMatch(/secret|private|\.js|\bat /);
    expect(ran.stderr).toMatch(/Error/);
  });

  it.each(["exit", "forsake"])("answers where the process ends under a call: %s", async (action) => {
    const ran = await cli(["trial", action, "--request-id", "mine"]);
    const { data, error, meta } = envelopeOf(ran) as Failure;
    expect([ran.code, data.error_code, error, meta.request_id]).toEqual([
      1,
      "INTERNAL_ERROR",
      "Cannot answer: the process was ended while the call ran",
      "mine",
    ]);
    const human = await cli(["trial", action, "--human"]);
    expect([human.code, human.stdout, human.stderr]).toEqual([
      1,
      "",
      expect.stringMatching(/^error: Cannot answer: .* \(INTERNAL_ERROR\)\n/),
    ]);
  });

  it("keeps what handlers print off stdout", async () => {
    const ran = await cli(["trial", "print"]);
    expect([ran.code, ran.stderr, envelopeOf(ran).data]).toEqual([0, "printed by the handler\n", {}]);
  });
});

describe("a command in a pipe", () => {
  const size = 10_000_000;

  it("gives 10 MB to a slow reader, whole", async () => {
    const line = `trial-cli trial large --size ${size} | (sleep 0.3; wc -lc); echo "\${PIPESTATUS[0]}"`;
    const [counts = "", code] = (await shell(line)).stdout.trim().split("\n");
    const [lines, bytes] = counts.trim().split(/\s+/).map(Number);
    expect([lines, code]).toEqual([1, "0"]);
    expect(bytes).toBeGreaterThan(size);
  });

  it("ends quietly when the reader has seen enough", async () => {
    const few = await shell("trial-cli notes list | head -1 | wc -l");
    expect([few.stdout.trim(), few.stderr]).toEqual(["1", ""]);
    const many = await shell(`trial-cli trial large --size ${size} | head -c 10; echo " \${PIPESTATUS[0]}"`);
    expect([many.stdout, many.stderr]).toEqual(['{"success" 0\n', ""]);
  });

  it("says so when the disk is full", async () => {
    const full = await shell("trial-cli echo --text x > /dev/full");
    expect([full.code, full.stderr]).toEqual([1, "Cannot write the answer: ENOSPC\n"]);
  });

  it("reads large values from stdin and from files", async () => {
    const text = `${"語".repeat(500_000)}end`;
    const piped = await cli(["trial", "length", "--text", "-"], { stdin: text });
    expect(envelopeOf(piped).data).toEqual({ length: 500_003, end: "end" });
    writeFileSync(join(folder, "value.txt"), text);
    expect(envelopeOf(await cli(["trial", "length", "--text", "@value.txt"])).data).toEqual({
      length: 500_003,
      end: "end",
    });
    const whole = await shell(`echo '{"text":"abc"}' | trial-cli trial length --params -`);
    expect(envelopeOf(whole).data).toEqual({ length: 3, end: "abc" });
  });

  it("takes a file by its place, and stdin", async () => {
    writeFileSync(join(folder, "@value.txt"), "from a file");
    const file = await cli(["contract", "validate", "@value.txt"]);
    expect([file.code, envelopeOf(file).data]).toEqual([0, { length: 11, end: "ile" }]);
    const piped = await shell("echo piped | trial-cli contract validate -");
    expect([piped.code, envelopeOf(piped).data]).toEqual([0, { length: 6, end: "ed\n" }]);
    const missing = await cli(["contract", "validate", "lost.txt"]);
    expect([missing.code, envelopeOf(missing)]).toEqual([
      2,
      expect.objectContaining({ error: 'Cannot read the file "lost.txt" for <file>: there is no such file' }),
    ]);
  });

  it("takes the words of another command line as they stand", async () => {
    const words = ["node", "server.js", "--flag", "@x", "-", "--help", "--human"];
    const ran = await cli(["contract", "check", "--", ...words]);
    expect([ran.code, envelopeOf(ran).data]).toEqual([0, { command: words }]);
    const human = await cli(["contract", "check", "--human", "--", "node", "x", "--help"]);
    expect(human).toMatchObject({ code: 0, stdout: 'passed: ["node","x","--help"]\n', stderr: "" });
  });

  it("does not wait for a stdin that it does not read", async () => {
    const child = spawn(process.execPath, [script, "echo", "--text", "x"]);
    const code = await new Promise((resolve) => child.on("close", resolve));
    // The stdin of the program stays open until the end.
    child.stdin.destroy();
    expect(code).toBe(0);
  });
});

describe("a value that nobody has written yet", () => {
  const fifo = join(folder, "fifo");
  beforeAll(() => execFileSync("mkfifo", [fifo]));

  it.each(["SIGINT", "SIGTERM"] as const)("does not hold the process on %s", async (signal) => {
    let sent = false;
    const ran = await cli(["echo", "--text", `@${fifo}`], {
      env: { CLI_TRIAL: "tell" },
      onStderr: (text, kill) => {
        // The registry has been created, so the program now waits for the value.
        if (text.includes("opened") && !sent) setTimeout(() => kill(signal), 50);
        sent ||= text.includes("opened");
      },
    });
    expect([ran.code, ran.signal, (envelopeOf(ran) as Failure).data.error_code]).toEqual([
      130,
      null,
      "CANCELLED",
    ]);
  });

  it("does not hold the process where there is no writer at all", async () => {
    const ran = await cli(["echo", "--text", `@${fifo}`, "--timeout", "200ms"]);
    expect([ran.code, (envelopeOf(ran) as Failure).data]).toMatchObject([
      1,
      { error_code: "TIMEOUT", details: { deadline_ms: 200 } },
    ]);
  });

  it.each([
    ["a pipe with a name", "(sleep 0.2; printf hi > fifo) & trial-cli echo --text @fifo"],
    ["what a command prints", "trial-cli echo --text @<(printf hi)"],
    ["what a command prints later", "trial-cli echo --text @<(sleep 0.1; printf hi)"],
    ["nothing at all", "trial-cli echo --text @/dev/null"],
  ])("is waited for: %s", async (_title, line) => {
    const text = line.includes("printf") ? "hi" : "";
    expect(envelopeOf(await shell(line)).data).toEqual({ text, times: 1 });
  });

  it("is not waited for longer than --timeout says", async () => {
    const ran = await shell("sleep 5 | (trial-cli echo --text - --timeout 200ms; echo $?)");
    const [line = "", code] = ran.stdout.split("\n");
    expect([code, (JSON.parse(line) as Failure).data.error_code]).toEqual(["1", "TIMEOUT"]);
  });
});

describe("--human", () => {
  it("shows a table, and the command for the next page, which can be typed", async () => {
    const ran = await cli(["notes", "list", "--limit", "2", "--min-rank", "3", "--human"]);
    expect(ran.stdout).toBe("notes:\n  id       rank\n  note-00    25\n  note-01    24\ntotal_count: 25\n");
    const [, more = ""] = /^More: (.*)\n$/.exec(ran.stderr) ?? [];
    expect((await shell(more)).stdout).toBe(
      "notes:\n  id       rank\n  note-02    23\n  note-03    22\ntotal_count: 25\n",
    );
  });

  it("is what the action shows, of a failure too", async () => {
    const ran = await cli(["contract", "check", "bad", "--human"], { env: { FORCE_COLOR: "1" } });
    expect([ran.code, ran.stdout]).toEqual([1, '\u001b[31mfailed\u001b[39m: ["bad"]\n']);
    expect(ran.stderr).toMatch(/^\S+error: Cannot pass it\S+ \S+\(CONFLICT\)\S+\n[^\n]+\n$/);
    const whole = await cli(["contract", "check", "bad"]);
    expect([whole.code, envelopeOf(whole).data["report"]]).toEqual([1, "x".repeat(1_000_000)]);
  });

  it("prints help whose words of another program can be typed", async () => {
    const { stdout } = await cli(["contract", "check", "--help"]);
    const [, example = ""] = /# a server with options\n {2}(.*)\n/.exec(stdout) ?? [];
    expect(example).toBe("trial-cli contract check -- node server.js --port 1");
    expect(envelopeOf(await shell(example)).data).toEqual({ command: example.split(" ").slice(4) });
  });

  it("prints help whose examples can be typed", async () => {
    const { stdout } = await cli(["specs", "find", "--help"]);
    const [, example = ""] = /# the active ones\n {2}(.*)\n/.exec(stdout) ?? [];
    expect(example).toBe("trial-cli specs find --status active --limit 50");
    expect(envelopeOf(await shell(example)).success).toBe(true);
  });
});

describe("completion in bash", () => {
  /** Returns the completions that bash offers for a line with the cursor at its last word. */
  const complete = async (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const { stdout, stderr } = await shell(
      [
        "source <(trial-cli completion bash)",
        `COMP_WORDS=(trial-cli ${quoted}) COMP_CWORD=${words.length}`,
        'call=$(complete -p trial-cli | sed "s/.*-F \\([^ ]*\\).*/\\1/")',
        "$call",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ].join("\n"),
    );
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  };

  it.each<[string[], string[]]>([
    [["sp"], ["specs"]],
    [
      ["specs", ""],
      ["find", "list"],
    ],
    [["specs", "find", "--st"], ["--status"]],
    [
      ["specs", "find", "--status", ""],
      ["active", "completed"],
    ],
    [["specs", "find", "--status", "=", "c"], ["completed"]],
    [["note-book", "l"], ["list"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
  ])("offers for %j", async (words, offered) => {
    expect(await complete(...words)).toEqual(offered);
  });

  for (const name of ["bash", "zsh", "fish"]) {
    const skip = spawnSync(name, ["-c", "true"]).error !== undefined;
    it.skipIf(skip)(`is read by ${name}${skip ? ", which is not installed" : ""}`, async () => {
      const { stdout } = await shell(`trial-cli completion ${name} | ${name} -n && echo read`);
      expect(stdout).toBe("read\n");
    });
  }

  const noFish = spawnSync("fish", ["-c", "true"]).error !== undefined;
  it.skipIf(noFish)(`offers values in fish${noFish ? ", which is not installed" : ""}`, async () => {
    const asked = `complete -C "trial-cli specs find --status "`;
    const { stdout } = await run("fish", ["-c", `trial-cli completion fish | source; ${asked}`]);
    expect(stdout).toBe("active\ncompleted\n");
  });

  it.skipIf(noFish)(`offers files in fish${noFish ? ", which is not installed" : ""}`, async () => {
    writeFileSync(join(folder, "report.json"), "{}");
    for (const words of ["contract validate rep", "contract validate --text rep", "contract check -- rep"]) {
      const asked = `complete -C "trial-cli ${words}"`;
      const { stdout } = await run("fish", ["-c", `trial-cli completion fish | source; ${asked}`]);
      expect(stdout).toMatch(/^report\.json(\t.*)?\n$/);
    }
  });
});
