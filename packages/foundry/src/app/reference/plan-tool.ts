import { join } from "node:path";
import { duplicateEntry } from "@foundry-mcp/contract";
import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import {
  createWorkspaceFiles,
  type FileSystem,
  systemErrorCode,
  toFileError,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { createFile } from "../../files/durable/write-file.ts";
import { createPlanView, planListView } from "./plan-views.ts";

const plansFolder = ".plans";
const maxPlans = 1_000;

const template = (title: string) => `# ${title}

## Mission

## Objectives

## Success criteria

## Phases

## Risks
`;

async function createPlansFolder(files: FileSystem, folder: string): Promise<void> {
  try {
    await files.mkdir(folder);
  } catch (err) {
    throw toFileError(err, "create the folder for plans", plansFolder);
  }
}

async function namesIn(files: FileSystem, folder: string): Promise<readonly string[]> {
  try {
    return (await unlessMissing(files.readdir(folder))) ?? [];
  } catch (err) {
    throw toFileError(err, "list the plans", plansFolder);
  }
}

/**
 * Creates the tool `plan` of the Python server. The tool creates Markdown files in the folder `.plans` of the specs
 * folder, and people and agents fill in these files.
 */
export function createPlanTool(specsFolder: () => Promise<string>, unlisted: boolean): Tool {
  const open = async () => {
    const root = await specsFolder();
    return { folder: join(root, plansFolder), files: createWorkspaceFiles({ root }) };
  };
  return defineTool({
    name: "plan",
    version: "1.0.0",
    description: "Create and list plans, which precede specs",
    unlisted,
    actions: {
      create: action({
        description: "Create a plan with empty sections",
        input: () => z.object({ name: z.string().min(1).max(200).describe("Title of the plan") }),
        output: () => payload({ plan_name: z.string(), plan_path: z.string() }),
        role: "author",
        examples: [{ title: "Create a plan to fill in", args: { name: "Tide tables" } }],
        cli: { command: "plan create", arguments: ["name"], show: viewOf(() => createPlanView) },
        run: async ({ name }) => {
          const { folder, files } = await open();
          const slug =
            name
              .toLowerCase()
              .replaceAll(/[^a-z0-9]+/g, "-")
              .replaceAll(/^-|-$/g, "") || "plan";
          const path = `${plansFolder}/${slug}.md`;
          await createPlansFolder(files, folder);
          try {
            await createFile(files, join(folder, `${slug}.md`), [Buffer.from(template(name))]);
          } catch (err) {
            if (systemErrorCode(err) === "EEXIST") throw duplicateEntry("plan", slug);
            throw toFileError(err, `create the plan "${path}"`, path);
          }
          return { plan_name: name, plan_path: path };
        },
      }),
      list: action({
        description: "List the plans",
        output: () => payload({ plans: rows({ name: z.string(), path: z.string() }), count: z.int() }),
        readOnly: true,
        examples: [{ title: "List the plans of this workspace", args: {} }],
        cli: { command: "plan list", show: viewOf(() => planListView) },
        run: async () => {
          const { folder, files } = await open();
          const plans = (await namesIn(files, folder))
            .filter((name) => /^[a-z0-9-]+\.md$/.test(name))
            .toSorted()
            .slice(0, maxPlans)
            .map((name) => ({ name: name.slice(0, -3), path: `${plansFolder}/${name}` }));
          return { plans, count: plans.length };
        },
      }),
    },
  });
}
