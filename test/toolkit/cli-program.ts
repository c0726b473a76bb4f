import { readFileSync } from "node:fs";
import { ContractError } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool, type Registry } from "@foundry-mcp/toolkit";
import { serveCli } from "@foundry-mcp/toolkit/cli";
import { z } from "zod";
import { notesTool } from "./notes-tool.ts";
import { plainTools } from "./plain-tools.ts";

// The tests start this program to see its output in the same way as a shell.

/**
 * A tool whose declarations define the names of commands. Its handlers do everything that a process can do wrong.
 */
const specsTool = defineTool({
  name: "spec",
  version: "1.0.0",
  description: "Finds and checks specs",
  actions: {
    find: action({
      description: "Specs by their status",
      cli: { command: "specs find", aliases: ["specs list"] },
      input: z.object({ status: z.enum(["active", "completed"]).optional() }),
      readOnly: true,
      page: { default: 50, max: 1_000, rows: "specs" },
      examples: [{ title: "the active ones", args: { status: "active", limit: 50 } }],
      run: ({ status = "active" }, context) => {
        const specs = Array.from({ length: 3 }, (_, index) => ({ id: `spec-${index}`, status }));
        return { specs: context.page.sorted(specs, { key: ({ id }) => [id] }) };
      },
    }),
    check: action({
      cli: { command: "validate check", arguments: ["spec_id"] },
      input: z.object({ spec_id: z.string() }),
      run: ({ spec_id }) => ({ spec_id, valid: true }),
    }),
    complete: action({
      cli: { command: "tasks complete", arguments: ["spec_id", "task_id"] },
      input: z.object({ spec_id: z.string(), task_id: z.string() }),
      run: ({ spec_id, task_id }) => ({ spec_id, task_id }),
    }),
  },
});

/**
 * A tool that takes the command line of another program literally, takes a text from a file, and formats its own
 * result.
 */
const contractTool = defineTool({
  name: "contract",
  version: "1.0.0",
  description: "Checks servers and files",
  actions: {
    check: action({
      input: z.object({ command: z.array(z.string()) }),
      cli: {
        arguments: ["command"],
        literal: ["command"],
        show: ({ success, data }, { colors }) =>
          `${success ? colors.green("passed") : colors.red("failed")}: ${JSON.stringify(data["command"])}`,
      },
      examples: [{ title: "a server with options", args: { command: ["node", "server.js", "--port", "1"] } }],
      run: ({ command }, { progress }) => {
        progress(1, 2, "initialize");
        if (!command.includes("bad")) return { command };
        throw new ContractError("Cannot pass it", {
          errorCode: "CONFLICT",
          data: { command, report: "x".repeat(1_000_000) },
        });
      },
    }),
    validate: action({
      input: z.object({ text: z.string() }),
      cli: { arguments: ["text"], files: ["text"] },
      run: ({ text }) => ({ length: text.length, end: text.slice(-3) }),
    }),
  },
});

const trialTool = defineTool({
  name: "trial",
  version: "1.0.0",
  description: "What a process must survive",
  actions: {
    hang: action({
      timeoutMs: 600_000,
      run: () => {
        process.stderr.write("hanging\n");
        return new Promise<object>(() => setInterval(() => {}, 1_000));
      },
    }),
    print: action({
      run: () => {
        // biome-ignore lint/suspicious/noConsole: what a handler prints must not reach stdout
        console.log("printed by the handler");
        return {};
      },
    }),
    large: action({
      input: z.object({ size: z.int() }),
      run: ({ size }) => ({ text: "x".repeat(size) }),
    }),
    length: action({
      input: z.object({ text: z.string() }),
      run: ({ text }) => ({ length: text.length, end: text.slice(-3) }),
    }),
    throw_later: action({
      run: () => {
        setImmediate(() => {
          throw new Error("secret at /var/lib/private");
        });
        return new Promise<object>(() => setInterval(() => {}, 1_000));
      },
    }),
    reject_later: action({
      run: () => {
        void Promise.reject(new Error("secret at /var/lib/private"));
        return new Promise<object>(() => setInterval(() => {}, 1_000));
      },
    }),
    exit: action({ run: () => process.exit(0) }),
    // The promise never settles, and nothing prevents the process from ending.
    forsake: action({ timeoutMs: Number.POSITIVE_INFINITY, run: () => new Promise<object>(() => {}) }),
    bug: action({ run: () => ({ text: readFileSync("/var/lib/private", "utf8") }) }),
  },
});

/** The value of the program's option --specs-dir. Tools read the value when they run. */
let folder = "nowhere";

const folderTool = defineTool({
  name: "folder",
  version: "1.0.0",
  description: "Where the program works",
  run: () => ({ folder }),
});

function open(): Registry {
  if (process.env["CLI_TRIAL"] === "crash") throw new Error("secret at /var/lib/private");
  if (process.env["CLI_TRIAL"] === "tell") process.stderr.write("opened\n");
  return createRegistry({
    name: "trial",
    version: "3.2.1",
    tools: [...plainTools, notesTool, specsTool, contractTool, trialTool, folderTool],
    validateOutput: true,
  });
}

await serveCli(open, {
  name: "trial-cli",
  options: [
    {
      flags: "--specs-dir <dir>",
      description: "The folder to work in",
      onValue: (value = "") => {
        folder = value;
      },
    },
  ],
  commands: [{ name: "show-folder", run: () => void process.stdout.write(`${folder}\n`) }],
});
