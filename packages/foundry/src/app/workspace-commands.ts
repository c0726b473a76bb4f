import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toFileError } from "../files/durable/file-error.ts";
import { specFolders } from "../specs/model/spec-document.ts";
import { type OpenWorkspace, requireSpecsFolder } from "./open-workspace.ts";
import { sampleSpec } from "./sample-spec.ts";
import { version } from "./version.ts";
import type { WorkspaceCommands } from "./workspace-tool.ts";

/** What the commands about a workspace need. */
export interface WorkspacePlace {
  readonly cwd: string;
  readonly load: () => Promise<LoadedSettings>;
  readonly workspace: OpenWorkspace;
}

/** Creates the commands about the workspace of a folder. */
export function createWorkspaceCommands({ cwd, load, workspace }: WorkspacePlace): WorkspaceCommands {
  return {
    async init(withSample) {
      const created: string[] = [];
      const kept: string[] = [];
      const note = (name: string, isNew: boolean) => (isNew ? created : kept).push(name);
      const { readClientConfig } = await import("./client-config.ts");
      const config = await readClientConfig(join(cwd, ".mcp.json"));
      const isFile = (await load()).values.store === "file";
      for (const folder of isFile ? specFolders : []) {
        const path = join(cwd, "specs", folder);
        const first = await mkdir(path, { recursive: true }).catch((err: unknown) => {
          throw toFileError(err, `make the folder "specs/${folder}"`, `specs/${folder}`);
        });
        note(`specs/${folder}`, first !== undefined);
      }
      const { id, document } = sampleSpec(new Date().toISOString());
      if (withSample && (await isEmpty(workspace))) {
        await (await workspace.store()).create(id, document, "active");
        note(isFile ? `specs/active/${id}.json` : `spec ${id}`, true);
      }
      if (!config.isComplete) await config.complete();
      note(".mcp.json", !config.isComplete);
      return {
        workspace: cwd,
        created,
        kept,
        next: ["foundry-cli specs find", "foundry-cli tasks next ID", "foundry-cli serve"],
      };
    },
    async diagnose() {
      const checks: { name: string; ok: boolean; message: string }[] = [];
      const check = async (name: string, work: () => Promise<string>) => {
        try {
          checks.push({ name, ok: true, message: await work() });
        } catch (thrown) {
          const message = isContractError(thrown)
            ? `${thrown.message}. ${thrown.options.remediation ?? ""}`
            : toReason(thrown);
          checks.push({ name, ok: false, message: message.trim() });
        }
      };
      await check("node", async () => process.version);
      await check("settings", async () => (await load()).files.join(", ") || "no files, all defaults");
      const isFile = await load().then(
        ({ values }) => values.store === "file",
        () => true,
      );
      if (isFile)
        await check("specs folder", async () => {
          const folder = requireSpecsFolder(await load(), cwd);
          await access(folder, constants.R_OK | constants.W_OK);
          return folder;
        });
      else
        await check("database", async () => {
          const { ok, message } = await (await workspace.store()).probe();
          if (!ok) throw new Error(message);
          return Object.values(await workspace.place()).join(", workspace ");
        });
      await check("specs", async () => {
        const { specs, problems } = await (await workspace.store()).list();
        if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
        return `${specs.length} can be read`;
      });
      return { ok: checks.every(({ ok }) => ok), checks };
    },
    version: () => ({
      name: "foundry-mcp",
      version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    }),
  };
}

function toReason(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

async function isEmpty(workspace: OpenWorkspace): Promise<boolean> {
  const { specs, problems } = await (await workspace.store()).list();
  return specs.length + problems.length === 0;
}
