/** The place where a client configures its servers: a table of servers by name, in JSON or TOML. */
export interface ConfigPlace {
  readonly path: string;
  /** The name of the table of servers. */
  readonly key: string;
  /** Fields that the client requires in addition to command and arguments. */
  readonly more?: Readonly<Record<string, string>>;
}

/**
 * The file in which an agent reads instructions. The instructions are either a section of a file that contains other
 * text too, or a separate skill.
 */
export interface PagePlace {
  readonly path: string;
  readonly form: "section" | "skill";
}

interface AgentClient {
  readonly config: ConfigPlace;
  readonly page: PagePlace;
}

const agentsFile: PagePlace = { path: "AGENTS.md", form: "section" };

/** The clients that `init --agent` configures, each through files of the project. */
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
