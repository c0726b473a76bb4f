import { dialects, type Envelope } from "@foundry-mcp/contract";
import { action, defineTool } from "@foundry-mcp/toolkit";
import type { Canvas } from "@foundry-mcp/toolkit/cli";
import { z } from "zod";
import type { CheckReport } from "../findings/check-report.ts";
import { type FileReport, fileReportSchema, toHumanValidation } from "../report/file-report.ts";
import { checkReportSchema } from "../report/report-schema.ts";
import { toHumanReport } from "../report/to-human.ts";
import { profiles } from "../rules/profiles.ts";

const dialect = () => z.enum(dialects).optional();
const seconds = () => z.number().positive().max(3_600).optional();

/**
 * The tool `contract` with the actions `check` and `validate`. Only the command line has this tool: a check starts
 * commands and opens connections, which a client of a server must not be able to request.
 */
export const contract = defineTool({
  name: "contract",
  version: "1.0.0",
  description: "Check MCP servers and envelopes against the response contract",
  actions: {
    check: action({
      examples: [
        { title: "Check a server that this command starts", args: { command: ["node", "server.js"] } },
      ],
      description:
        "Check an MCP server against every rule of the contract. Without --calls, only tools marked read-only are called",
      input: () =>
        z.object({
          command: z
            .array(z.string())
            .optional()
            .describe("Command that starts the server; write it after --"),
          url: z.string().optional().describe("URL of the server; pass a URL instead of a command"),
          header: z.array(z.string()).optional().describe(
            // biome-ignore lint/suspicious/noTemplateCurlyInString: users type it like this
            "HTTP header for requests to the URL; 'Authorization: Bearer ${TOKEN}' takes TOKEN from the environment",
          ),
          config: z
            .string()
            .optional()
            .describe(
              "File in the format of .mcp.json that contains the server; pass this option instead of a command",
            ),
          server: z.string().optional().describe("Name of the server in the file given with --config"),
          calls: z
            .string()
            .optional()
            .describe("File (JSON or TOML) with the calls to make, and the expected results"),
          write_calls: z
            .string()
            .optional()
            .describe(
              "Create this file with a call for each tool that may change data; edit the file, then pass it to --calls",
            ),
          profile: z
            .enum(profiles)
            .optional()
            .describe(
              "Rules to check: contract for all rules, or mcp for servers without envelopes (default: contract)",
            ),
          dialect: dialect().describe("Dialect to check against (default: the dialect that the server uses)"),
          protocol: z
            .enum(["auto", "legacy", "2026-07-28"])
            .optional()
            .describe("Revision of MCP to use (default: auto)"),
          call_timeout: seconds().describe(
            "Maximum number of seconds of a call without a report of progress (default: 5)",
          ),
          time_limit: seconds().describe("Maximum number of seconds of the whole check (default: 60)"),
          junit: z.string().optional().describe("Write a JUnit report to this file"),
        }),
      output: () => checkReportSchema,
      openWorld: true,
      timeoutMs: 3_700_000,
      cli: { command: "contract check", arguments: ["command"], literal: ["command"], show: showCheck },
      run: async (input, { signal, progress, warn }) => {
        const { runCheck } = await import("../run-check.ts");
        return runCheck(input, {
          env: process.env,
          signal,
          progress: (done, total, message) => progress(done, total, message),
          warn: (message) => warn(message),
        });
      },
    }),
    validate: action({
      examples: [{ title: "Check one answer", args: { text: '{"success": true}' } }],
      description:
        "Check the envelopes in a file against the contract. The file contains one envelope, a JSON list, or an envelope on each line",
      input: () =>
        z.object({
          text: z.string().describe("File with the envelopes as JSON"),
          dialect: dialect().describe("Dialect to check against (default: the dialect of each envelope)"),
        }),
      output: () => fileReportSchema,
      readOnly: true,
      cli: { command: "contract validate", arguments: ["text"], files: ["text"], show: showValidation },
      run: async ({ text, dialect: wanted }) => {
        const { validateText } = await import("../validate-text.ts");
        return validateText(text, wanted);
      },
    }),
  },
});

/** Formats the report. If the check does not pass, the report is the data of the failure. */
function showCheck({ data }: Envelope<CheckReport>, canvas: Canvas): string | undefined {
  return isCheckReport(data) ? toHumanReport(data, canvas) : undefined;
}

function showValidation({ data }: Envelope<FileReport>, canvas: Canvas): string | undefined {
  return isFileReport(data) ? toHumanValidation(data, canvas) : undefined;
}

const isCheckReport = (data: object): data is CheckReport => "verdict" in data;
const isFileReport = (data: object): data is FileReport => "finding_count" in data;
