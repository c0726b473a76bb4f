import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { checkEnvelope, type Failure, internal } from "@foundry-mcp/contract";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import type { CommandValues, ProgramCommand } from "./program-command.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { createScreen, type Ran, runWords } from "./testing/run-words.ts";

const trials = defineTool({
  name: "trial",
  version: "1.0.0",
  description: "What a command must survive",
  actions: {
    context: action({
      run: (_input, { surface, client, maxTokens, requestId }) => ({ surface, client, maxTokens, requestId }),
    }),
    hang: action({ timeoutMs: 60_000, run: () => new Promise<object>(() => {}) }),
    bug: action({
      run: () => {
        throw new Error("secret at /var/lib/private");
      },
    }),
    prints: action({
      run: (_input, context) => {
        context.progress(1, 4, "a \u001b[31mquarter");
        context.progress(2);
        context.log("info", { half: true });
        context.warn("STALE_CACHE", "The cache is old");
        context.attach({ type: "image", data: Buffer.from("x"), mimeType: "image/png" });
        return {};
      },
    }),
    long: action({ run: () => ({ list: Array.from({ length: 5_000 }, (_, index) => `item ${index}`) }) }),
  },
});
const registry = createDemoRegistry({ tools: [trials], budget: { maxTokens: 500 } });
const run = (...argv: string[]) => runWords(registry, argv);

/** Checks that the only line of output is a valid envelope. */
const settle = ({ code, envelope }: Ran) => {
  expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
  const { data, error } = envelope as Failure;
  return { code, error, ...data };
};

describe("a command", () => {
  it("answers with one line, and with 0", async () => {
    const ran = await run("echo-all", "--text", "hi", "--request-id", "req-1");
    expect({ ...ran, envelope: undefined }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^\{"success":true,"data":\{"text":"hi","size":"small"\},"error":null,"meta":\{"version":"response-v2","request_id":"req-1","telemetry":\{"duration_ms":[\d.]+\}\}\}\n$/,
      ),
      stderr: "",
      envelope: undefined,
    });
  });

  it("answers the same on a terminal with --json", async () => {
    const words = ["tasks", "complete", "s", "t", "--json"];
    const ran = await runWords(registry, words, { isTTY: true, columns: 20 });
    expect([ran.code, ran.envelope.data, ran.stderr]).toEqual([0, { spec_id: "s", task_id: "t" }, ""]);
  });

  it("refuses words of another program with their sentence", async () => {
    const refusals = {
      tsks: "There are no tsks.",
      "tasks fnd": "Nothing is fnd.",
      "echo-all --txt": "Leave it out.",
      "watch -n": "Changes have no number.",
    };
    const commands: ProgramCommand[] = [{ name: "watch", run: () => {} }];
    for (const [words, reason] of Object.entries(refusals)) {
      const { code, remediation } = settle(
        await runWords(registry, words.split(" "), {}, { refusals, commands }),
      );
      const hint = words.startsWith("watch") ? " demo watch --help lists its options." : "";
      expect([words, code, remediation]).toEqual([words, 2, `${reason}${hint}`]);
    }
  });

  it("takes a registry that is made when it is needed", async () => {
    const ran = await runWords(async () => registry, ["echo-all"]);
    expect(ran.envelope.data).toEqual({ size: "small" });
  });

  it("says who calls, and has no budget of its own", async () => {
    const ran = await runWords(registry, ["trial", "context", "--request_id", "mine"]);
    expect(ran.envelope.data).toEqual({
      surface: "cli",
      client: { name: "demo", version: "4.5.6" },
      maxTokens: 0,
      requestId: "mine",
    });
    const named = await runWords(registry, ["trial", "context"], {}, { version: "9", name: "other" });
    expect(named.envelope.data).toMatchObject({ client: { name: "other", version: "9" } });
  });

  it("is shortened only where it is asked for", async () => {
    const whole = await run("trial", "long");
    expect((whole.envelope.data as { list: string[] }).list).toHaveLength(5_000);
    const { code, error_code } = settle(await run("trial", "long", "--max-tokens", "100"));
    expect([code, error_code]).toEqual([1, "CONTENT_TOO_LARGE"]);
    expect(settle(await run("--max-tokens", "100", "trial", "long")).error_code).toBe("CONTENT_TOO_LARGE");
  });

  it.each([
    [
      ["--text", "a", "--count", "3", "--share", "0.5", "--is-open"],
      { text: "a", count: 3, share: 0.5, is_open: true },
    ],
    [["--no-is-open", "--size", "large", "--level", "2"], { is_open: false, size: "large", level: 2 }],
    [["--tags", "a", "--tags", "b", "--ranks", "[1,2]"], { tags: ["a", "b"], ranks: [1, 2] }],
    [
      ["--shape", '{"width":2}', "--either", "5", "--anything", "[null]"],
      { shape: { width: 2 }, either: 5, anything: [null] },
    ],
    [["--text=--human", "--count=-4"], { text: "--human", count: -4 }],
    [["--text", "--human"], { text: "--human" }],
    [["--is_open"], { is_open: true }],
    [["--params", '{"text":"a","count":1}', "--count", "2"], { text: "a", count: 2 }],
  ])("reads %j", async (words, data) => {
    const { code, envelope } = await run("echo-all", ...words);
    expect([code, envelope.data]).toEqual([0, { size: "small", ...data }]);
  });

  it.each([
    [["s", "t"], { spec_id: "s", task_id: "t" }],
    [["--spec-id", "s", "t", "--note", "n"], "task_id"],
    [["s", "--task_id", "t"], { spec_id: "s", task_id: "t" }],
    [["--", "-s", "--t"], { spec_id: "-s", task_id: "--t" }],
    [["-5", "t"], { spec_id: "-5", task_id: "t" }],
    [["s", "--taskId", "t"], { spec_id: "s", task_id: "t" }],
    [["s", "--id", "t"], { spec_id: "s", task_id: "t" }],
    [["--params", '{"spec_id":"s","taskId":"x"}', "--task-id", "t"], { spec_id: "s", task_id: "t" }],
    [["--params", '{"action":"complete","spec_id":"s","task_id":"t"}'], { spec_id: "s", task_id: "t" }],
  ])("takes arguments by their place: %j", async (words, data) => {
    const ran = await run("tasks", "complete", ...words);
    // The first operand is the first argument, regardless of the options around it.
    if (data === "task_id") expect(settle(ran)).toMatchObject({ code: 2, details: { field: "--spec-id" } });
    else expect([ran.code, ran.envelope.data]).toEqual([0, data]);
  });

  it("takes a list by its place to the end", async () => {
    expect((await run("task-list", "tag-all", "w", "a", "b", "c")).envelope.data).toEqual({
      word: "w",
      tags: ["a", "b", "c"],
    });
  });

  it("reads names that clash with its own", async () => {
    const words = [
      "--arg-timeout",
      "3",
      "--arg-json",
      "x",
      "--arg-help",
      "--arg-no-cache",
      "--note-id",
      "a",
      "--note_id",
      "b",
    ];
    expect((await run("odd", ...words, "--テキスト", "t", "--timeout", "5")).envelope.data).toEqual({
      timeout: 3,
      json: "x",
      help: true,
      no_cache: true,
      noteId: "a",
      note_id: "b",
      テキスト: "t",
    });
  });

  it("takes parameters of any name with --params", async () => {
    const given = '{"timeout":3,"any name":[null]}';
    const { stdout } = await run("odd", "--params", given);
    expect(stdout).toContain(`"data":${given}`);
  });
});

describe("values from elsewhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "run-cli-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "value");

  it("come from files and from stdin", async () => {
    writeFileSync(path, '{"text": "語\\n", "count": 2}\n');
    expect((await run("echo-all", "--params", `@${path}`)).envelope.data).toMatchObject({
      text: "語\n",
      count: 2,
    });
    expect((await run("echo-all", "--shape", `@${path}`)).envelope.data).toMatchObject({
      error_code: "VALIDATION_ERROR",
    });
    const piped = await runWords(registry, ["echo-all", "--ranks", "-"], { stdin: "[1,\n2]\n" });
    expect(piped.envelope.data).toMatchObject({ ranks: [1, 2] });
    const placed = await runWords(registry, ["tasks", "complete", "-", "@@t"], { stdin: "s" });
    expect(placed.envelope.data).toEqual({ spec_id: "s", task_id: "@t" });
  });

  it("stop waiting for stdin when interrupted", async () => {
    const ending = new AbortController();
    const stdin = new Readable({ read: () => ending.abort() });
    const ran = await runWords(registry, ["echo-all", "--text", "-"], {}, { stdin, signal: ending.signal });
    expect(settle(ran)).toMatchObject({ code: 130, error_code: "CANCELLED" });
  });
});

describe("a command line that makes no call", () => {
  it.each<[string[], string, string, RegExp]>([
    [["tsks"], "VALIDATION_ERROR", 'demo has no command "tsks"', /^Did you mean tasks\?/],
    [
      ["tasks", "fnd"],
      "VALIDATION_ERROR",
      'demo tasks has no command "fnd"',
      /^Did you mean find\? Use one of: find, /,
    ],
    [
      ["task-list", "secret"],
      "VALIDATION_ERROR",
      'demo task-list has no command "secret"',
      /^Use one of: tag-all\.$/,
    ],
    [
      ["tasks"],
      "MISSING_REQUIRED",
      "Cannot run demo tasks alone: it needs a command",
      /find, complete, list/,
    ],
    [
      ["tasks", "find", "--stats", "x"],
      "VALIDATION_ERROR",
      'demo tasks find takes no option "--stats"',
      /^Did you mean --status\?/,
    ],
    [["--humn", "tasks"], "VALIDATION_ERROR", 'demo takes no option "--humn"', /^Did you mean --human\?/],
    [["tasks", "-x"], "VALIDATION_ERROR", 'demo tasks takes no option "-x"', /^Use one of: --/],
    [
      ["echo-all", "--text"],
      "MISSING_REQUIRED",
      "Cannot read the command line: --text has no value",
      /^Give --text a value\.$/,
    ],
    [
      ["echo-all", "--text", "--", "a"],
      "MISSING_REQUIRED",
      "Cannot read the command line: --text has no value",
      /^Give --text a value\.$/,
    ],
    [
      ["echo-all", "--is-open=yes"],
      "INVALID_FORMAT",
      "Cannot read --is-open: it takes no value",
      /^Write --is-open for true and --no-is-open for false\.$/,
    ],
    [
      ["echo-all", "--is-open", "false"],
      "INVALID_FORMAT",
      "Cannot read --is-open: it takes no value",
      /^Write --is-open for true and --no-is-open for false\.$/,
    ],
    [
      ["odd", "--no-cache"],
      "VALIDATION_ERROR",
      "Cannot read --no-cache: it could say that cache is false, or give a parameter that is called so",
      /^Write --no-arg-cache for cache as false, and --arg-no-cache for the other\.$/,
    ],
    [
      ["tasks", "complete", "--spec-id", "a", "b"],
      "VALIDATION_ERROR",
      'Cannot read the command line: the argument "b" stands for spec_id, which --spec-id gives as well',
      /^Give spec_id as an argument or as --spec-id, not both\.$/,
    ],
    [
      ["echo-all", "--human=yes"],
      "INVALID_FORMAT",
      "Cannot read --human: it takes no value",
      /^Write --human alone\.$/,
    ],
    [
      ["echo-all", "--count", "1", "--count", "2"],
      "VALIDATION_ERROR",
      "Cannot read the command line: --count is given twice",
      /^Give --count once\.$/,
    ],
    [
      ["echo-all", "--is-open", "--no-is-open"],
      "VALIDATION_ERROR",
      "Cannot read the command line: --is-open is given twice",
      /^Give --is-open once\.$/,
    ],
    [
      ["--timeout", "1", "echo-all", "--timeout", "2"],
      "VALIDATION_ERROR",
      "Cannot read the command line: --timeout is given twice",
      /once/,
    ],
    [
      ["tasks", "complete", "s", "t", "u"],
      "VALIDATION_ERROR",
      'demo tasks complete takes spec_id, task_id as arguments: "u" is unexpected',
      /demo tasks complete --help/,
    ],
    [["echo-all", "x"], "VALIDATION_ERROR", 'demo echo-all takes no arguments: "x" is unexpected', /--help/],
    [
      ["echo-all", "--text", "-", "--tags", "-"],
      "VALIDATION_ERROR",
      "Cannot read --tags from stdin: --text has taken it",
      /^Give - to one option only/,
    ],
    [
      ["echo-all", "--text", "@nowhere"],
      "INVALID_PATH",
      'Cannot read the file "nowhere" for --text: there is no such file',
      /@@/,
    ],
    [
      ["echo-all", "--params", "{"],
      "INVALID_FORMAT",
      "Cannot read --params: it is no JSON object",
      /^Give --params an object/,
    ],
    [
      ["echo-all", "--params", "[1]"],
      "INVALID_FORMAT",
      "Cannot read --params: it is no JSON object",
      /object/,
    ],
    [
      ["tasks", "find", "--params", '{"action":"complete"}'],
      "VALIDATION_ERROR",
      "Cannot read --params: it names another action than the command, which is find",
      /Leave action out/,
    ],
    [
      ["echo-all", "--timeout", "soon"],
      "INVALID_FORMAT",
      'Cannot use --timeout "soon": it is no time',
      /such as 30/,
    ],
    [["echo-all", "--timeout", "0"], "INVALID_FORMAT", 'Cannot use --timeout "0": it is no time', /500ms/],
    [
      ["completion"],
      "MISSING_REQUIRED",
      "Cannot write a completion script: no shell is named",
      /bash, zsh, fish/,
    ],
    [["completion", "tcsh"], "VALIDATION_ERROR", 'Cannot write a completion script for "tcsh"', /bash/],
  ])("%j", async (words, code, error, remediation) => {
    const ran = await run(...words);
    expect(settle(ran)).toEqual({
      code: 2,
      error,
      error_code: code,
      error_type: "validation",
      remediation: expect.stringMatching(remediation),
      details: expect.any(Object),
    });
    expect(ran.stderr).not.toContain("error:");
  });

  it("says how it is used, where nothing is asked for", async () => {
    const ran = await run();
    expect(settle(ran)).toMatchObject({ code: 2, error: "Cannot run demo alone: it needs a command" });
    expect(ran.stderr).toBe((await run("--help")).stdout.trimEnd().concat("\n"));
  });

  it("keeps the caller's id, and what it was where it is none", async () => {
    expect((await run("--request-id", "mine", "tsks")).envelope.meta.request_id).toBe("mine");
    const { meta } = (await run("--request-id", "not mine", "tsks")).envelope;
    expect([meta.request_id, meta["client_request_id"]]).toEqual([
      expect.stringMatching(/^req_/),
      "not mine",
    ]);
  });

  it("is refused in the dialect of the registry", async () => {
    const old = createDemoRegistry({ dialect: "envelope-v1" });
    const ran = await runWords(old, ["tsks"]);
    expect([ran.code, ran.envelope]).toEqual([
      2,
      expect.objectContaining({ tier: "community", tool_id: "" }),
    ]);
  });
});

describe("what the path refuses", () => {
  it.each([
    [["echo-all", "--count", "three"], { count: "three" }],
    [["echo-all", "--size", "huge", "--level", "7"], { size: "huge", level: 7 }],
    [["echo-all", "--shape", "{"], { shape: "{" }],
    [["echo-all", "--params", '{"txet":1}'], { txet: 1 }],
    [["echo-all", "--max-tokens", "few"], { max_tokens: "few" }],
  ])("is a failure of the call: %j", async (words, args) => {
    const ran = await run(...words);
    const { code, ...told } = settle(ran);
    const { data, error } = (await registry.call("echo_all", args)) as Failure;
    // A command line names its options.
    const remediation = String(data.remediation).replace(
      /(orrect |[Gg]ive )(\w+)(?=:| one of)/g,
      (_, verb: string, name: string) => `${verb}--${name.replaceAll("_", "-")}`,
    );
    expect([code, told]).toEqual([1, { error, ...data, remediation }]);
  });

  it("is put right in the words of the command line, not in those of a call", async () => {
    const { data } = (await run("tasks", "complete", "s")).envelope as Failure;
    expect([data.remediation, data.details]).toEqual([
      "Provide <task_id>.",
      { field: "task_id", constraint: "required", received: null },
    ]);
    const { envelope } = await run("odd", "--note-id", "x", "--timeout", "1.5", "--arg-timeout", "soon");
    expect((envelope as Failure).data.remediation).toMatch(/--arg-timeout/);
  });

  it("folds the command to type next like every other command, so that it fits the terminal", async () => {
    const words = ["tasks", "complete", "a-spec-with-quite-a-long-name", "--note", "x", "--human"];
    const { stderr } = await runWords(registry, words, { isTTY: true, columns: 40 });
    const [, typed = ""] = /try: ([\s\S]*)/.exec(stderr.replaceAll(/\p{Cc}\[\d+m/gu, "")) ?? [];
    expect(typed).toBe(
      "demo tasks complete \\\n    a-spec-with-quite-a-long-name \\\n    TASK_ID --note x\n",
    );
  });

  it("names the operand that names a file, not an option that nobody typed", async () => {
    const { envelope } = await run("tasks", "complete", "s", "@nowhere.txt");
    expect(envelope.error).toBe('Cannot read the file "nowhere.txt" for <task_id>: there is no such file');
  });

  it("is a failure where an argument is missing", async () => {
    expect(settle(await run("tasks", "complete", "s"))).toMatchObject({
      code: 1,
      error_code: "MISSING_REQUIRED",
      details: { field: "task_id" },
    });
  });

  it("is a failure where two names of a parameter are given", async () => {
    const ran = await run("tasks", "complete", "s", "--task-id", "a", "--taskId", "b");
    expect(settle(ran)).toMatchObject({ code: 1, details: { field: "task_id", constraint: "duplicate" } });
  });
});

describe("what breaks", () => {
  it("tells the person, not the reader of stdout", async () => {
    const ran = await run("trial", "bug");
    expect(settle(ran)).toEqual({
      code: 1,
      error: "The server failed unexpectedly",
      error_code: "INTERNAL_ERROR",
      error_type: "internal",
      remediation: expect.any(String),
    });
    expect(ran.stdout).not.toMatch(/secret|private/);
    expect(ran.stderr).toMatch(/^Error: secret at \/var\/lib\/private\n/);
  });

  it("is an envelope also where there is no registry", async () => {
    const ran = await runWords(() => {
      throw new Error("secret at /var/lib/private");
    }, ["echo-all", "--request-id", "x"]);
    expect(settle(ran)).toMatchObject({ code: 1, error_code: "INTERNAL_ERROR" });
    expect(ran.stdout).not.toMatch(/secret|private/);
    const known = await runWords(() => Promise.reject(internal("No store is configured")), ["echo-all"]);
    expect(settle(known)).toMatchObject({ code: 1, error: "No store is configured" });
  });

  it("is an envelope where two commands clash", async () => {
    const clashing = defineTool({
      name: "other",
      version: "1.0.0",
      description: "Other",
      cli: { command: "tasks find" },
      run: () => ({}),
    });
    expect(settle(await runWords(createDemoRegistry({ tools: [clashing] }), ["odd"]))).toMatchObject({
      code: 1,
      error: 'Cannot place other on the command line as "tasks find": task_list(action="find") is called so',
    });
  });

  it("is an envelope where an argument stands for nothing", async () => {
    const wrong = (name: string) =>
      defineTool({
        name: "wrong",
        version: "1.0.0",
        description: "Wrong",
        input: z.object({ list: z.array(z.string()), last: z.string() }),
        cli: { arguments: [name, "last"] },
        run: () => ({}),
      });
    const errorOf = async (name: string) =>
      settle(await runWords(createDemoRegistry({ tools: [wrong(name)] }), ["wrong"])).error;
    expect(await errorOf("nothing")).toMatch(/it takes no parameter nothing$/);
    expect(await errorOf("list")).toMatch(/it must be the last$/);
  });
});

describe("an interrupt", () => {
  it("cancels the call", async () => {
    const ending = new AbortController();
    const running = runWords(registry, ["trial", "hang"], {}, { signal: ending.signal });
    setImmediate(() => ending.abort());
    expect(settle(await running)).toMatchObject({ code: 130, error_code: "CANCELLED" });
  });

  it("does not wait for a registry that is never made", async () => {
    const ending = new AbortController();
    const never = () => {
      ending.abort();
      return new Promise<never>(() => {});
    };
    const ran = await runWords(never, ["trial", "hang", "--request-id", "x"], {}, { signal: ending.signal });
    expect(settle(ran)).toMatchObject({ code: 130, error_code: "CANCELLED" });
  });

  it("is not what ends a wait for values, or for a registry, that takes too long", async () => {
    const stdin = new Readable({ read: () => {} });
    const words = ["echo-all", "--text", "-", "--timeout", "20ms"];
    const late = { code: 1, error_code: "TIMEOUT", details: { deadline_ms: 20 } };
    expect(settle(await runWords(registry, words, {}, { stdin }))).toMatchObject(late);
    expect(settle(await runWords(() => new Promise<never>(() => {}), words))).toMatchObject(late);
  });

  it("is not a deadline", async () => {
    expect(settle(await run("trial", "hang", "--timeout", "20ms"))).toMatchObject({
      code: 1,
      error_code: "TIMEOUT",
      details: { deadline_ms: 20 },
    });
  });
});

describe("what stands beside the answer", () => {
  it("goes to stderr, progress to a terminal only", async () => {
    const quiet = await run("trial", "prints");
    const notes = "1 attachment is not shown: a command answers with its envelope alone\n";
    expect([quiet.envelope.data, quiet.stderr]).toEqual([{}, `info: {"half":true}\n${notes}`]);
    const shown = await runWords(registry, ["trial", "prints", "--json"], { isTTY: true, columns: 24 });
    const clear = "\r\u001b[2K";
    expect(shown.stderr).toBe(
      `${clear}1/4 (25 %) a \\x1b[31mq…${clear}2${clear}info: {"half":true}\n${notes}`,
    );
    expect(shown.envelope.meta.warnings).toEqual(["The cache is old"]);
  });

  it("includes what handlers print", async () => {
    const screen = createScreen();
    const printing = defineTool({
      name: "printing",
      version: "1.0.0",
      description: "Prints",
      run: () => {
        screen.stream.write("printed\n");
        return {};
      },
    });
    const ran = await runWords(
      createDemoRegistry({ tools: [printing] }),
      ["printing"],
      {},
      { stdout: screen.stream },
    );
    expect(ran.stderr).toBe("printed\n");
    expect(screen.text()).toMatch(/^\{[^\n]*\}\n$/);
    screen.stream.write("its own again");
    expect(screen.text()).toMatch(/its own again$/);
  });

  it("is quiet when the reader has gone, and loud when the disk is full", async () => {
    const failing = (code: string) =>
      new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
      });
    const gone = await runWords(registry, ["echo-all"], {}, { stdout: failing("EPIPE") });
    expect([gone.code, gone.stderr]).toEqual([0, ""]);
    const full = await runWords(registry, ["echo-all"], {}, { stdout: failing("ENOSPC") });
    expect([full.code, full.stderr]).toEqual([1, "Cannot write the answer: ENOSPC\n"]);
  });

  it("waits until a slow reader has everything", async () => {
    const taken: number[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        setImmediate(() => {
          taken.push(chunk.length);
          done();
        });
      },
    });
    await runWords(registry, ["echo-all", "--text", "x".repeat(100_000)], {}, { stdout: slow });
    expect(taken.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(100_000);
  });
});

describe("the program itself", () => {
  it("tells its version in an envelope too", async () => {
    expect((await run("--version")).envelope.data).toEqual({ name: "demo", version: "4.5.6" });
    expect((await run("--version", "--human")).stdout).toBe("demo 4.5.6\n");
  });

  const serve = (work: (values: CommandValues) => unknown): ProgramCommand => ({
    name: "serve",
    description: "Serves over stdio",
    aliases: ["s"],
    options: [{ flags: "--port <port>", description: "The port" }],
    run: (values) => void work(values),
  });

  it("has commands of its own, which need no registry and write for themselves", async () => {
    const heard: object[] = [];
    const never = () => {
      throw new Error("made");
    };
    const commands = [serve((options) => heard.push(options))];
    const ran = await runWords(never, ["serve", "--port", "80"], {}, { commands });
    expect([ran.code, ran.stdout, heard]).toEqual([0, "", [{ port: "80" }]]);
    const asked = await runWords(never, ["help", "s"], {}, { commands });
    expect([asked.code, asked.stdout]).toEqual([
      0,
      expect.stringMatching(/^Usage: demo serve\|s \[options\]\n/),
    ]);
    expect((await runWords(registry, ["--help"], {}, { commands })).stdout).toMatch(
      /serve +Serves over stdio/,
    );
  });

  const copy: ProgramCommand = {
    name: "copy",
    arguments: [
      { name: "from", description: "Where it is", required: true },
      { name: "to", description: "" },
    ],
    options: [
      { flags: "--force", description: "Replace a file" },
      { flags: "--count <n>", description: "", check: (text) => (text === "0" ? "Not none." : undefined) },
    ],
    run: (values) => void process.stderr.write(JSON.stringify(values)),
  };

  it("gives its own commands their arguments and options by name", async () => {
    const got: CommandValues[] = [];
    const commands = [{ ...copy, run: (values: CommandValues) => void got.push(values) }];
    for (const words of [["a"], ["a", "b", "--force"], ["--count=1", "--count", "2", "--", "-a"], ["-5"]])
      expect((await runWords(registry, ["copy", ...words], {}, { commands })).code).toBe(0);
    expect(got).toEqual([
      { from: "a" },
      { from: "a", to: "b", force: true },
      { from: "-a", count: "2" },
      { from: "-5" },
    ]);
  });

  it.each([
    [[], "missingArgument", "missing required argument 'from'"],
    [["a", "b", "c"], "excessArguments", "too many arguments for 'copy'. Expected 2 arguments but got 3."],
    [["a", "--count", "0"], "invalidArgument", "option '--count <n>' argument '0' is invalid. Not none."],
    [["a", "--count"], "optionMissingArgument", "option '--count <n>' argument missing"],
    [["a", "-f"], "unknownOption", "unknown option '-f'"],
  ])("refuses the words %j of its own command", async (words, constraint, reason) => {
    const ran = await runWords(registry, ["copy", ...words], {}, { commands: [copy] });
    expect(settle(ran)).toMatchObject({
      code: 2,
      error: `Cannot run demo copy: ${reason}`,
      remediation: "demo copy --help lists its options.",
      details: { field: "arguments", constraint },
    });
  });

  it("shows the help of its own commands", async () => {
    const { stdout } = await runWords(registry, ["copy", "x", "-h"], {}, { commands: [copy] });
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: demo copy [options] <from> [to]

      Arguments:
        from               Where it is
        to

      Options:
        --force            Replace a file
        --count <n>
        -h, --help         Show this help

      Options of every command:
        --output <format>  Set the output format: auto (human on a terminal, JSON
                           elsewhere), json or human
        --human            Same as --output human
        --json             Same as --output json
      "
    `);
  });

  it("answers for its own commands where they fail", async () => {
    const commands = [
      serve(() => {
        throw internal("The port is taken");
      }),
    ];
    const failed = await runWords(registry, ["serve"], {}, { commands });
    expect(settle(failed)).toMatchObject({ code: 1, error: "The port is taken" });
    const misused = await runWords(registry, ["serve", "--prt"], {}, { commands });
    expect(settle(misused)).toMatchObject({
      code: 2,
      error: "Cannot run demo serve: unknown option '--prt'",
      remediation: "Did you mean --port? demo serve --help lists its options.",
    });
    const late = await runWords(registry, ["--human", "serve"], {}, { commands });
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("Write demo serve first")]);
  });
});
