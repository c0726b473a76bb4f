import { ContractError } from "@foundry-mcp/contract";
import { programName } from "../../program/program-name.ts";
import { type AgentName, agentClients } from "./agent-clients.ts";
import { planConfig } from "./client-config.ts";
import { planPage } from "./plan-page.ts";
import type { PlannedFile } from "./planned-file.ts";

/**
 * Plans the configuration file of a client, and the page for its agent if a client is named. Throws before anything
 * is written if the page would replace lines that a person may have written, unless `overwrites` is true.
 */
export async function planAgentFiles(
  folder: string,
  agent: AgentName | undefined,
  overwrites: boolean,
): Promise<readonly PlannedFile[]> {
  const { config, page } = agentClients[agent ?? "claude"];
  const planned = [await planConfig(folder, config)];
  if (agent === undefined) return planned;
  planned.push(await planPage(folder, page));
  const replaced = planned.filter(({ change }) => change === "replace");
  if (replaced.length === 0 || overwrites) return planned;
  const names = replaced.map(({ path }) => path).join(", ");
  throw new ContractError(
    `Cannot write the page for the agent: ${names} differs from the page of this version`,
    {
      errorCode: "CONFLICT",
      remediation:
        "The answer lists the lines that would be overwritten. Overwrite them with {1}, or leave the page as it is.",
      remedy: { command: `${programName} init --agent ${agent} --yes` },
      data: { would_overwrite: replaced.map(({ path, removed, added }) => ({ path, removed, added })) },
    },
  );
}
