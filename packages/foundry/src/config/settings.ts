import { dialects, tiers } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import type { OutputFormat } from "@foundry-mcp/toolkit/cli";
import { z } from "zod";
import { isDatabaseUrl } from "../postgres/database-url.ts";

/**
 * The sources of settings, in the order of trust. The least trusted source is the `foundry.toml` of a workspace,
 * because it comes with the workspace's files. The next sources are the `foundry.toml` of the user, the environment,
 * and command-line options.
 */
export const settingSources = ["workspace", "user", "environment", "option"] as const;

/** A source of settings. */
export type SettingSource = (typeof settingSources)[number];

/** The declaration of a setting. */
interface Setting {
  /** Creates the schema on demand, because most commands validate no setting. */
  readonly schema: () => z.ZodType;
  /** The environment variable, or undefined if only a file may set the setting. */
  readonly env: string | undefined;
  readonly default: unknown;
  /** A one-line description. */
  readonly about: string;
  /** The least trusted source that may set the setting. Every more trusted source may also set it. */
  readonly owner: SettingSource;
  /** True for a path. In a settings file, the path is relative to the folder of that file. */
  readonly isPath?: true;
  /** True for a setting that only affects commands, not servers. */
  readonly isForCommands?: true;
  /** Removes secrets from a value for output. */
  readonly toPrintable?: (value: unknown) => unknown;
}

/** The names of the tools that can be served besides `server` and `content`. */
export const toolNames = [
  "spec",
  "task",
  "authoring",
  "lifecycle",
  "journal",
  "verification",
  "review",
  "research",
] as const;

const toolSet = () =>
  z
    .union([z.enum(["core", "all", "reference"]), z.array(z.enum(toolNames)).min(1)], {
      error: `it must be core, all, reference, or some of ${toolNames.join(", ")}`,
    })
    .describe("core, all, reference, or a list of names");

/** Masks the password of a URL, and hides a value that is not a text. */
const maskPassword = (value: unknown) => (typeof value === "string" ? maskUrlPassword(value) : undefined);

/**
 * All settings by their names in `foundry.toml`. Command-line options have hyphens instead of underscores. Files,
 * variables, options, `server(action="context")` and the documentation are derived from this table.
 */
export const settings = {
  specs_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_SPECS_DIR",
    default: undefined,
    about: "Folder with the specs (default: the nearest folder named specs in this folder or its parents)",
    owner: "workspace",
    isPath: true,
  },
  store: {
    schema: () =>
      z
        .string()
        .trim()
        .refine(
          (text) => text === "file" || text === "postgres" || isDatabaseUrl(text),
          "it must be file, postgres, or postgres://user@host/database",
        ),
    env: "FOUNDRY_STORE",
    default: "file",
    about: "Store of the specs: file, postgres (at DATABASE_URL), or postgres://user@host/database",
    owner: "user",
    // An invalid URL may still contain a password.
    toPrintable: (value) =>
      typeof value === "string" && (value === "file" || value === "postgres" || isDatabaseUrl(value))
        ? maskUrlPassword(value)
        : undefined,
  },
  workspace: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_WORKSPACE",
    default: "default",
    about: "Name of the workspace in the database; each workspace has its own specs",
    owner: "user",
  },
  store_pool: {
    schema: () => z.int().min(1).max(1_000),
    env: "FOUNDRY_STORE_POOL",
    default: 8,
    about: "Maximum number of connections of one server to the database",
    owner: "user",
  },
  store_timeout: {
    schema: () => z.int().min(1).max(3_600),
    env: "FOUNDRY_STORE_TIMEOUT",
    default: 15,
    about: "Maximum number of seconds that the database may take for one statement",
    owner: "user",
  },
  rate_limit: {
    schema: () => z.int().min(0),
    env: "FOUNDRY_RATE_LIMIT",
    default: 0,
    about:
      "Maximum number of calls per minute by one client to one tool; 0 means no limit. Servers that use the same database count calls together",
    owner: "user",
  },
  tools: {
    schema: toolSet,
    env: "FOUNDRY_TOOLS",
    default: "core",
    about:
      "Tools to serve: core, all, a list of names, or reference (all tools, under their names in the Python foundry-mcp)",
    owner: "workspace",
  },
  dialect: {
    schema: () => z.enum(dialects),
    env: "FOUNDRY_DIALECT",
    default: "response-v2",
    about: "Dialect (format) of answers",
    owner: "workspace",
  },
  tier: {
    schema: () => z.enum(tiers),
    env: "FOUNDRY_TIER",
    default: "community",
    about: "Tier of callers; the tier decides which features a caller may use",
    owner: "user",
  },
  max_tokens: {
    schema: () => z.int().min(0),
    env: "FOUNDRY_MAX_TOKENS",
    default: 20_000,
    about: "Maximum number of tokens in an answer of a server; 0 means no limit",
    owner: "workspace",
  },
  archive_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_ARCHIVE_DIR",
    default: undefined,
    about:
      "Folder for content that was left out of shortened answers (default: .foundry in the specs folder)",
    owner: "user",
    isPath: true,
  },
  flags_file: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_FLAGS_FILE",
    default: undefined,
    about: "File with feature flags; without such a file, every flag has its declared state",
    owner: "workspace",
    isPath: true,
  },
  history: {
    schema: () => z.int().min(0).max(100_000),
    env: "FOUNDRY_HISTORY",
    default: 50,
    about: "Number of revisions that are kept for each spec",
    owner: "workspace",
  },
  verify_programs: {
    schema: () => z.array(z.string().min(1)),
    env: "FOUNDRY_VERIFY_PROGRAMS",
    default: [],
    about: "Programs that verifications may run; an empty list allows none, and * allows any",
    owner: "user",
  },
  model: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_MODEL",
    default: undefined,
    about:
      "Language model that writes summaries; without a model, a summary consists of sentences from the documents. API key: FOUNDRY_MODEL_KEY",
    owner: "user",
  },
  model_base_url: {
    schema: () =>
      z.url({ protocol: /^https?$/, error: "it must be an address such as http://127.0.0.1:8080/v1" }),
    env: "FOUNDRY_MODEL_BASE_URL",
    default: "https://api.openai.com/v1",
    about: "Base URL of the server of the model; the server must support OpenAI's chat completions API",
    owner: "user",
    toPrintable: maskPassword,
  },
  model_timeout: {
    schema: () => z.int().min(1).max(3_600),
    env: "FOUNDRY_MODEL_TIMEOUT",
    default: 60,
    about: "Maximum number of seconds that the model may take for one answer",
    owner: "user",
  },
  research_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_RESEARCH_DIR",
    default: undefined,
    about: "Folder for research runs (default: .foundry in the specs folder)",
    owner: "user",
    isPath: true,
  },
  jobs_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_JOBS_DIR",
    default: undefined,
    about:
      "Folder for jobs, if specs are kept in files (default: foundry-mcp/jobs in the user's state folder)",
    owner: "user",
    isPath: true,
  },
  search_url: {
    schema: () =>
      z.url({ protocol: /^https?$/, error: "it must be an address such as http://127.0.0.1:8888" }),
    env: "FOUNDRY_SEARCH_URL",
    default: undefined,
    about: "URL of a SearXNG server, which the search provider named web uses",
    owner: "user",
    toPrintable: maskPassword,
  },
  log_level: {
    schema: () => z.enum(["silent", "error", "warn", "info", "debug"]),
    env: "FOUNDRY_LOG_LEVEL",
    default: "info",
    about: "Level of the log that servers write to stderr",
    owner: "user",
  },
  allowed_hosts: {
    schema: () =>
      z.union([
        z.array(z.string().min(1)).min(1),
        z
          .string()
          .min(1)
          .transform((name) => [name]),
      ]),
    env: "FOUNDRY_ALLOWED_HOSTS",
    default: undefined,
    about:
      "Additional host names to which requests may be addressed; requires tokens. Loopback names are always allowed",
    owner: "user",
  },
  tokens: {
    // The server validates each grant when it starts, because the server's roles are known only then.
    schema: () =>
      z.array(z.record(z.string(), z.unknown()), {
        error: "it must be a list of tables, each under [[tokens]]",
      }),
    env: undefined,
    default: [],
    about:
      "Callers of the HTTP server: a table [[tokens]] for each, with principal, sha256 or token, and optionally role, tier and expires; allowed only in your own settings file",
    owner: "user",
    // Only the number of tokens is printed, because callers do not need the names of other tokens.
    toPrintable: (value) => (Array.isArray(value) ? `${value.length} tokens` : undefined),
  },
  metrics: {
    schema: () => z.boolean(),
    env: "FOUNDRY_METRICS",
    default: true,
    about: "Serve metrics at GET /metrics: true or false",
    owner: "user",
  },
  host: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_HOST",
    default: "127.0.0.1",
    about: "Address on which the HTTP server listens",
    owner: "user",
  },
  port: {
    schema: () => z.int().min(0).max(65_535),
    env: "FOUNDRY_PORT",
    default: 3_117,
    about: "Port on which the HTTP server listens; 0 chooses a free port",
    owner: "user",
  },
  output: {
    schema: () => z.enum(["auto", "json", "human"] satisfies readonly OutputFormat[]),
    env: "FOUNDRY_OUTPUT",
    default: "auto",
    about: "Output format of commands: auto (human on a terminal, JSON elsewhere), json or human",
    owner: "workspace",
    isForCommands: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;

/** Returns the value of a setting without secrets, for output. */
export function toPrintable(name: SettingName, value: unknown): unknown {
  const setting: Setting = settings[name];
  return setting.toPrintable === undefined ? value : setting.toPrintable(value);
}

/** The names of all settings in the order of the table. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The settings that options of the servers may set. */
export const optionSettings = settingNames.filter(
  (name) => settings[name].env !== undefined && !("isForCommands" in settings[name]),
);

/** The settings that every command of `foundry-cli` takes as options. Servers take all settings. */
export const commandSettings = ["specs_dir", "store", "workspace"] as const satisfies readonly SettingName[];

/** Returns true if a source may set a setting. */
export function maySet(source: SettingSource, name: SettingName): boolean {
  return settingSources.indexOf(source) >= settingSources.indexOf(settings[name].owner);
}

/** Returns the name of the option for a setting: `specs-dir`. */
export function toOptionName(name: SettingName): string {
  return name.replaceAll("_", "-");
}

/** Returns the option for a setting as the user types it: `--specs-dir`. */
export function toOption(name: SettingName): string {
  return `--${toOptionName(name)}`;
}

/** The value of each setting, or undefined if the setting has neither a value nor a default. */
export type Settings = {
  readonly [K in SettingName]:
    | z.output<ReturnType<(typeof settings)[K]["schema"]>>
    | ((typeof settings)[K]["default"] & undefined);
};
