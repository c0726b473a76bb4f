import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/tool.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { runWords } from "./testing/run-words.ts";

const registry = createDemoRegistry();
const help = async (...argv: string[]) => {
  const { code, stdout, stderr } = await runWords(registry, argv);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};

describe("help", () => {
  it("of a text that may be null asks for a text, and of what clashes tells how to say no", async () => {
    const tool = defineTool({
      name: "note",
      version: "1.0.0",
      description: "Takes a note",
      input: z.object({ to: z.string().nullable(), b: z.boolean().default(true), noB: z.boolean() }),
      run: () => ({}),
    });
    const { stdout } = await runWords(createDemoRegistry({ tools: [tool] }), ["note", "--help"]);
    expect(stdout.match(/^ {2}--(to|b|arg-no-b)\b.*$/gm)).toEqual([
      "  --to <text>             (required)",
      "  --b                     (default: true; --no-arg-b for false)",
      "  --arg-no-b              (--no-arg-no-b for false; required)",
    ]);
  });

  it("of the program lists its groups with a line each", async () => {
    expect(await help("--help")).toMatchInlineSnapshot(`
      "Usage: demo <command> [options]

      Demo of everything

      demo <command> --help shows its options and examples.

      Options:
        -v, --version           Show the version

      Options of every command:
        --output <format>       Set the output format: auto (human on a terminal, JSON
                                elsewhere), json or human
        --human                 Same as --output human
        --json                  Same as --output json
        --timeout <time>        Stop the command after this time: a number of seconds,
                                or a time such as 500ms or 2m
        --request-id <id>       Set the request id, which the answer returns as
                                meta.request_id
        --params <object>       Pass parameters as one JSON object, @file or -
                                (stdin); options override these parameters
        -h, --help              Show this help
        --max-tokens <integer>  Shorten the answer to at most this many tokens; 0
                                means no limit (default: 0)

      Commands:
        tasks       Works on tasks
        task-list   Works on tasks
        echo-all    Gives back what it was given
        odd         Takes odd names
        tasks-of    Tasks in the order of their ids
        completion  Print a completion script for bash, zsh or fish
      "
    `);
  });

  it("of a group lists its commands", async () => {
    expect(await help("tasks", "--help")).toMatchInlineSnapshot(`
      "Usage: demo tasks <command> [options]

      Works on tasks

      demo tasks <command> --help shows its options and examples.

      Options of every command:
        --output <format>       Set the output format: auto (human on a terminal, JSON
                                elsewhere), json or human
        --human                 Same as --output human
        --json                  Same as --output json
        --timeout <time>        Stop the command after this time: a number of seconds,
                                or a time such as 500ms or 2m
        --request-id <id>       Set the request id, which the answer returns as
                                meta.request_id
        --params <object>       Pass parameters as one JSON object, @file or -
                                (stdin); options override these parameters
        -h, --help              Show this help
        --max-tokens <integer>  Shorten the answer to at most this many tokens; 0
                                means no limit (default: 0)

      Commands:
        find      Tasks in the order of their ids
        complete  Marks a task as done
        list      Same as tasks find
      "
    `);
    expect(await help("task_list", "-h")).toBe(
      (await help("task-list", "--help")).replaceAll("demo task-list", "demo task_list"),
    );
    expect(await help("todo", "-h")).toMatch(/\n {2}tag-all/);
  });

  it("of a command tells its arguments, its options and examples that can be typed", async () => {
    expect(await help("tasks", "complete", "--help")).toMatchInlineSnapshot(`
      "Usage: demo tasks complete [options] <spec_id> <task_id>

      Marks a task as done

      Arguments:
        spec_id                 (required)
        task_id                 (required)

      Options:
        --spec-id <text>        Same as the argument spec_id
        --task-id <text>        Same as the argument task_id
        --note <text>
        --max-tokens <integer>  Shorten the answer to at most this many tokens; 0
                                means no limit (default: 0)

      Options of every command:
        --output <format>       Set the output format: auto (human on a terminal, JSON
                                elsewhere), json or human
        --human                 Same as --output human
        --json                  Same as --output json
        --timeout <time>        Stop the command after this time: a number of seconds,
                                or a time such as 500ms or 2m
        --request-id <id>       Set the request id, which the answer returns as
                                meta.request_id
        --params <object>       Pass parameters as one JSON object, @file or -
                                (stdin); options override these parameters
        -h, --help              Show this help

      Values: @path reads the value from a file, - from stdin; a leading @@ means @.

      Examples:
        # with a note
        demo tasks complete 's 1' --task-id=-t --note 'it'\\''s done'
      "
    `);
    expect(await help("echo-all", "--help")).toMatchInlineSnapshot(`
      "Usage: demo echo-all [options]

      Gives back what it was given

      Options:
        --text <text>           Any text
        --count <integer>
        --share <number>
        --is-open               Whether it is open
        --size <text>           (choices: small, large; default: small)
        --level <number>        (choices: 1, 2)
        --tags <text>           (may be repeated)
        --ranks <json>          (may be repeated)
        --shape <json>
        --either <json>
        --anything <json>
        --parent <text>
        --max-tokens <integer>  Shorten the answer to at most this many tokens; 0
                                means no limit (default: 0)

      Options of every command:
        --output <format>       Set the output format: auto (human on a terminal, JSON
                                elsewhere), json or human
        --human                 Same as --output human
        --json                  Same as --output json
        --timeout <time>        Stop the command after this time: a number of seconds,
                                or a time such as 500ms or 2m
        --request-id <id>       Set the request id, which the answer returns as
                                meta.request_id
        --params <object>       Pass parameters as one JSON object, @file or -
                                (stdin); options override these parameters
        -h, --help              Show this help

      Values: @path reads the value from a file, - from stdin; a leading @@ means @.
      "
    `);
  });

  it("is given wherever it is asked for", async () => {
    const whole = await help("tasks", "find", "--help");
    for (const words of [
      "--help tasks find",
      "tasks --help find",
      "help tasks find",
      "tasks list -h",
      "tasks find --bogus --help",
    ]) {
      expect(await help(...words.split(" "))).toBe(whole);
    }
    expect(await help("odd", "--help")).toMatch(
      /listed here\.\nOnly --params can set this parameter: "with space"\n/,
    );
    expect(await help("completion", "--help")).toContain("source <(demo completion bash)");
  });

  it("keeps to the width of the terminal", async () => {
    const { stdout } = await runWords(registry, ["tasks", "find", "--help"], { columns: 60 });
    const lines = stdout.split("\n").slice(0, stdout.split("\n").indexOf("Also: tasks list, tasks-of"));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
