import { join } from "node:path";
import { duplicateEntry } from "@foundry-mcp/contract";
import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import {
  createWorkspaceFiles,
  systemErrorCode,
  toFileError,
  unlessMissing,
} from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { createFile } from "../../files/durable/write-file.ts";

const plansFolder = ".plans";
const maxPlans = 1_000;

const template = (title: string) => `# ${title}

## Mission

## Objectives

## Success criteria

## Phases

## Risks
`;

/** Creates the tool `plan` of the reference: Markdown files in `.plans` of the specs folder, for people and agents to fill in. */
export function createPlanTool(specsFolder: () => Promise<string>, unlisted: boolean): Tool {
  const open = async () => {
    const root = await specsFolder();
    return { folder: join(root, plansFolder), files: createWorkspaceFiles({ root }) };
  };
  return defineTool({
    name: "plan",
    version: "1.0.0",
    description: "Create and list plans: Markdown files that come before a spec",
    unlisted,
    actions: {
      create: action({
        description: "Create a plan with empty sections",
        input: () => z.object({ name: z.string().min(1).max(200) }),
        output: () => payload({ plan_name: z.string(), plan_path: z.string() }),
        role: "author",
        cli: false,
        run: async ({ name }) => {
          const { folder, files } = await open();
          const slug =
            name
              .toLowerCase()
              .replaceAll(/[^a-z0-9]+/g, "-")
              .replaceAll(/^-|-$/g, "") || "plan";
          const path = `${plansFolder}/${slug}.md`;
          await files.mkdir(folder);
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
        cli: false,
        run: async () => {
          const { folder, files } = await open();
          const names = (await unlessMissing(files.readdir(folder))) ?? [];
          const plans = names
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
