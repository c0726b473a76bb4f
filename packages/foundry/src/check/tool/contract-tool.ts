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
 * The tool `contract` with the actions check and validate. For the command line only: a check starts commands and
 * opens connections, which no client of a server may request.
 */
export const contract = defineTool({
  name: "contract",
  version: "1.0.0",
  description: "Hold MCP servers and envelopes to the response contract",
  actions: {
    check: action({
      description:
        "Hold an MCP server to the contract, rule by rule; only what is marked read-only is called unasked",
      input: () =>
        z.object({
          command: z.array(z.string()).optional().describe("The command that starts the server, behind --"),
          url: z.string().optional().describe("The address of the server, in place of a command"),
          header: z
            .array(z.string())
            .optional()
            // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what one types
            .describe("A header for the address, as 'Authorization: Bearer ${TOKEN}' from the environment"),
          config: z.string().optional().describe("A file in the format of .mcp.json, in place of a command"),
          server: z.string().optional().describe("Which server of the config"),
          calls: z
            .string()
            .optional()
            .describe("A file (JSON or TOML) with calls to make and what to expect"),
          write_calls: z
            .string()
            .optional()
            .describe(
              "A new file to write calls to for what may change something, to edit and pass to --calls",
            ),
          profile: z
            .enum(profiles)
            .optional()
            .describe(
              "The rules: all of the contract, or mcp for those without envelopes (default: contract)",
            ),
          dialect: dialect().describe("The dialect to hold it to (default: the one that it speaks)"),
          protocol: z
            .enum(["auto", "legacy", "2026-07-28"])
            .optional()
            .describe("The protocol to speak (default: auto)"),
          call_timeout: seconds().describe(
            "Seconds that a call may take without sending progress (default: 5)",
          ),
          time_limit: seconds().describe("Seconds that the check may take (default: 60)"),
          junit: z.string().optional().describe("A file to write a JUnit report to"),
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
      description:
        "Hold envelopes in a file to the contract: one, a list, or one on each line, of any dialect",
      input: () =>
        z.object({
          text: z.string().describe("The envelopes as JSON"),
          dialect: dialect().describe("The dialect to hold them to (default: the one that each is in)"),
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

/** A check that does not pass is a failure whose data is the report. */
function showCheck({ data }: Envelope<CheckReport>, canvas: Canvas): string | undefined {
  return isCheckReport(data) ? toHumanReport(data, canvas) : undefined;
}

function showValidation({ data }: Envelope<FileReport>, canvas: Canvas): string | undefined {
  return isFileReport(data) ? toHumanValidation(data, canvas) : undefined;
}

const isCheckReport = (data: object): data is CheckReport => "verdict" in data;
const isFileReport = (data: object): data is FileReport => "finding_count" in data;
