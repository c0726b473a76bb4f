import { validationError } from "@foundry-mcp/contract";
import { action, type Context, describeConfirmation, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { ChooseRuns, RunningResearch } from "../runs/research-runs.ts";
import type { ResearchCaller } from "../runs/run-deps.ts";
import { followRun, warnIncomplete } from "./follow-run.ts";
import type { Research } from "./research.ts";
import { deleteRunView, reportView, runListView, runView, type ShownReport } from "./show-results.ts";
import { paths, snippets, sources, toSources, useModel } from "./source-parameters.ts";

const researchId = () => z.string().min(1).describe("Id of the research run");
const background = () => z.boolean().optional().describe("Answer at once, and continue in the background");
const status = () => payload({ research_id: z.string(), state: z.string() });
const timeoutMs = 3_700_000;
const cliCommand = (name: string) => ({ command: `research ${name}`, arguments: ["research_id"] });

/** Defines the actions that start and manage runs. */
export function runActions(open: () => Promise<Research>) {
  const runs = async () => (await open()).runs();
  /** Starts or resumes a run. Returns its status either immediately or when the run has ended. */
  const launch = async (
    isBackground: boolean | undefined,
    context: Context,
    begin: (caller: ResearchCaller) => Promise<RunningResearch>,
  ): Promise<object> => {
    const { isOneShot } = await open();
    if (isBackground && isOneShot) throw noBackground();
    // The caller is copied from the context, because a run may last longer than the call.
    const { principal, requestId } = context;
    const run = await begin({ principal, requestId });
    return isBackground
      ? (await runs()).status(run.id, context)
      : followRun(run, await runs(), isOneShot, context);
  };
  return {
    start: action({
      description: "Research a question in files, folders, URLs and searches, and write a report",
      input: () =>
        z.object({
          question: z.string().trim().min(1).max(10_000).describe("Question to answer"),
          sources: sources(),
          paths: paths(),
          max_sources: z
            .int()
            .min(1)
            .max(1_000)
            .optional()
            .describe("Maximum number of sources (default: 200)"),
          snippets: snippets(),
          use_model: useModel(),
          background: background(),
        }),
      output: status,
      openWorld: true,
      task: "optional",
      timeoutMs,
      cli: {
        command: "research start",
        arguments: ["question", "paths"],
        literal: ["paths"],
        show: viewOf(() => runView),
      },
      run: ({ paths: named, sources: given, background: isBackground, ...request }, context) =>
        launch(isBackground, context, async (caller) => {
          const all = toSources(named, given, "start");
          return (await runs()).start({ ...request, sources: all }, caller);
        }),
    }),
    resume: action({
      description: "Continue a research run that was interrupted or cancelled",
      input: () => z.object({ research_id: researchId(), background: background() }),
      output: status,
      openWorld: true,
      timeoutMs,
      cli: { ...cliCommand("resume"), show: viewOf(() => runView) },
      run: ({ research_id, background: isBackground }, context) =>
        launch(isBackground, context, async (caller) => (await runs()).resume(research_id, caller)),
    }),
    status: action({
      description: "Show the progress of a research run",
      input: () => z.object({ research_id: researchId() }),
      output: status,
      readOnly: true,
      cli: { ...cliCommand("status"), show: viewOf(() => runView) },
      run: async ({ research_id }, context) => (await runs()).status(research_id, context),
    }),
    report: action({
      description: "Get the report of a research run, with quotes for each claim",
      input: () =>
        z.object({
          research_id: researchId(),
          format: z.enum(["json", "markdown"]).optional().describe("Format (default: json)"),
        }),
      output: () =>
        payload<ShownReport>({
          research_id: z.string(),
          confidence: z.enum(["strong", "weak", "none"]).optional(),
          summary: z.string().optional(),
          findings: rows({ id: z.string(), claim: z.string() }).optional(),
          markdown: z.string().optional(),
        }),
      readOnly: true,
      wholeLists: ["findings"],
      cli: { ...cliCommand("report"), show: viewOf(() => reportView) },
      run: async ({ research_id, format }, context) => {
        const research = await open();
        const report = await (await research.runs()).report(research_id, context);
        if (report.fallback !== undefined)
          context.warn("FALLBACK_USED", `The summary is extracted: ${report.fallback.reason}`, {
            from: "model",
          });
        warnIncomplete(report, context);
        return format === "markdown"
          ? { research_id, counts: report.counts, markdown: research.reportToMarkdown(report) }
          : report;
      },
    }),
    list: action({
      description: "List your research runs, newest first",
      output: () => payload({ researches: rows({ research_id: z.string(), state: z.string() }) }),
      readOnly: true,
      page: { default: 50, max: 500, rows: "researches" },
      cli: { command: "research list", show: viewOf(() => runListView) },
      run: async (_input, context) => {
        const choose: ChooseRuns = (all) =>
          context.page.siblings(all, { id: ({ research_id }) => research_id });
        return { researches: await (await runs()).list(context, choose) };
      },
    }),
    cancel: action({
      description: "Stop a research run; resume continues it",
      input: () => z.object({ research_id: researchId() }),
      output: status,
      idempotent: true,
      cli: { ...cliCommand("cancel"), show: viewOf(() => runView) },
      run: async ({ research_id }, context) => (await runs()).cancel(research_id, context),
    }),
    delete: action({
      description: "Delete a research run and its report",
      input: () =>
        z.object({
          research_id: researchId(),
          confirm: z.literal(true).describe(describeConfirmation("deletes the research run and its report")),
        }),
      output: () => payload({ research_id: z.string(), deleted: z.literal(true) }),
      destructive: true,
      cli: { ...cliCommand("delete"), show: viewOf(() => deleteRunView) },
      run: async ({ research_id }, context) => {
        await (await runs()).delete(research_id, context);
        return { research_id, deleted: true };
      },
    }),
  };
}

function noBackground(): Error {
  return validationError(
    { field: "background", constraint: "unsupported" },
    {
      message:
        "Cannot research in the background: the process of a command ends with its answer, so the run would stop",
      remediation: "Leave out --background. Ctrl-C interrupts the run, and research resume continues it.",
    },
  );
}
