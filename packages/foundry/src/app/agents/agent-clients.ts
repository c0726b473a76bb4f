/** Where a client looks for its servers: a table of servers by name, in JSON or TOML. */
export interface ConfigPlace {
  readonly path: string;
  /** The name of the table of servers. */
  readonly key: string;
  /** What the client wants beside command and arguments. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Where an agent reads how to work: a section of a file that others write in too, or a skill of its own. */
export interface PagePlace {
  readonly path: string;
  readonly form: "section" | "skill";
}

interface AgentClient {
  readonly config: ConfigPlace;
  readonly page: PagePlace;
}

const agentsFile: PagePlace = { path: "AGENTS.md", form: "section" };

/** The clients that `init --agent` sets up, all by files of the project. */
export const agentClients = {
  claude: {
    config: { path: ".mcp.json", key: "mcpServers" },
    page: { path: ".claude/skills/foundry/SKILL.md", form: "skill" },
  },
  cursor: { config: { path: ".cursor/mcp.json", key: "mcpServers" }, page: agentsFile },
  vscode: {
    config: { path: ".vscode/mcp.json", key: "servers", more: { type: "stdio" } },
    page: agentsFile,
  },
  codex: { config: { path: ".codex/config.toml", key: "mcp_servers" }, page: agentsFile },
  gemini: {
    config: { path: ".gemini/settings.json", key: "mcpServers" },
    page: { path: "GEMINI.md", form: "section" },
  },
} as const satisfies Readonly<Record<string, AgentClient>>;

/** The name of a client. */
export type AgentName = keyof typeof agentClients;

/** The names of the clients. */
export const agentNames = Object.keys(agentClients) as [AgentName, ...AgentName[]];
