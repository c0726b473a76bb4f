import { dialects, tiers } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { isDatabaseUrl } from "../postgres/database-url.ts";

/**
 * The sources of settings, the least trusted first: `foundry.toml` of a workspace, which comes with its files;
 * `foundry.toml` of the user; the environment; options of the command line.
 */
export const settingSources = ["workspace", "user", "environment", "option"] as const;

/** A source of settings. */
export type SettingSource = (typeof settingSources)[number];

/** The declaration of a setting. */
interface Setting {
  /** Created on demand: most commands validate no setting. */
  readonly schema: () => z.ZodType;
  /** The environment variable; undefined where only a file may set it, and no variable or option. */
  readonly env: string | undefined;
  readonly default: unknown;
  /** A description in one line. */
  readonly about: string;
  /** The least trusted source that may set it; every source that is trusted more may set it too. */
  readonly owner: SettingSource;
  /** True for a path; in a settings file it is relative to the folder of that file. */
  readonly isPath?: true;
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

/** Masks the password of a URL; hides a value that is no text. */
const maskPassword = (value: unknown) => (typeof value === "string" ? maskUrlPassword(value) : undefined);

/**
 * All settings by their names in `foundry.toml`; options of the command line have hyphens. Files, variables,
 * options, `server(action="context")` and the documentation are derived from this table.
 */
export const settings = {
  specs_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_SPECS_DIR",
    default: undefined,
    about: "The folder with the specs; without one the nearest folder called specs, upwards",
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
    about: "Where specs are kept: file, postgres (at DATABASE_URL), or postgres://user@host/database",
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
    about: "Which workspace of the database; several in one database know nothing of each other",
    owner: "user",
  },
  store_pool: {
    schema: () => z.int().min(1).max(1_000),
    env: "FOUNDRY_STORE_POOL",
    default: 8,
    about: "Most connections of one server to the database",
    owner: "user",
  },
  store_timeout: {
    schema: () => z.int().min(1).max(3_600),
    env: "FOUNDRY_STORE_TIMEOUT",
    default: 15,
    about: "How many seconds the database may take for one statement",
    owner: "user",
  },
  rate_limit: {
    schema: () => z.int().min(0),
    env: "FOUNDRY_RATE_LIMIT",
    default: 0,
    about: "Most calls a minute of one client to one tool; 0 for no limit. Servers of one database share it",
    owner: "user",
  },
  tools: {
    schema: toolSet,
    env: "FOUNDRY_TOOLS",
    default: "core",
    about:
      "The tools that are served: core, all, names, or reference, which is all with the names of the Python foundry-mcp",
    owner: "workspace",
  },
  dialect: {
    schema: () => z.enum(dialects),
    env: "FOUNDRY_DIALECT",
    default: "response-v2",
    about: "The form of answers",
    owner: "workspace",
  },
  tier: {
    schema: () => z.enum(tiers),
    env: "FOUNDRY_TIER",
    default: "community",
    about: "What callers may use",
    owner: "user",
  },
  max_tokens: {
    schema: () => z.int().min(0),
    env: "FOUNDRY_MAX_TOKENS",
    default: 20_000,
    about: "Most tokens of a server's answer; 0 for no limit",
    owner: "workspace",
  },
  archive_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_ARCHIVE_DIR",
    default: undefined,
    about: "Where the rest of shortened answers is kept; without one in .foundry beside the specs",
    owner: "user",
    isPath: true,
  },
  flags_file: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_FLAGS_FILE",
    default: undefined,
    about: "The feature flags; without one every flag is as it is declared",
    owner: "workspace",
    isPath: true,
  },
  history: {
    schema: () => z.int().min(0).max(100_000),
    env: "FOUNDRY_HISTORY",
    default: 50,
    about: "How many revisions of each spec can be gone back to",
    owner: "workspace",
  },
  verify_programs: {
    schema: () => z.array(z.string().min(1)),
    env: "FOUNDRY_VERIFY_PROGRAMS",
    default: [],
    about: "Programs that verifications may run; none are run without, and any with *",
    owner: "user",
  },
  model: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_MODEL",
    default: undefined,
    about: "The model that writes summaries; without one they are extracted. Its key is FOUNDRY_MODEL_KEY",
    owner: "user",
  },
  model_base_url: {
    schema: () =>
      z.url({ protocol: /^https?$/, error: "it must be an address such as http://127.0.0.1:8080/v1" }),
    env: "FOUNDRY_MODEL_BASE_URL",
    default: "https://api.openai.com/v1",
    about: "Where the model is: any server that speaks OpenAI's chat completions",
    owner: "user",
    toPrintable: maskPassword,
  },
  model_timeout: {
    schema: () => z.int().min(1).max(3_600),
    env: "FOUNDRY_MODEL_TIMEOUT",
    default: 60,
    about: "How many seconds the model may take for one answer",
    owner: "user",
  },
  research_dir: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_RESEARCH_DIR",
    default: undefined,
    about: "Where researches are kept; without one in .foundry beside the specs",
    owner: "user",
    isPath: true,
  },
  search_url: {
    schema: () =>
      z.url({ protocol: /^https?$/, error: "it must be an address such as http://127.0.0.1:8888" }),
    env: "FOUNDRY_SEARCH_URL",
    default: undefined,
    about: "A SearXNG server, for the search provider web",
    owner: "user",
    toPrintable: maskPassword,
  },
  log_level: {
    schema: () => z.enum(["silent", "error", "warn", "info", "debug"]),
    env: "FOUNDRY_LOG_LEVEL",
    default: "info",
    about: "What servers write to stderr",
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
    about: "Further host names that requests may be for; without tokens only loopback names may",
    owner: "user",
  },
  tokens: {
    // The server validates each grant when it starts: only there are its roles known.
    schema: () =>
      z.array(z.record(z.string(), z.unknown()), {
        error: "it must be a list of tables, each under [[tokens]]",
      }),
    env: undefined,
    default: [],
    about:
      "Who may call serve: [[tokens]] with principal, sha256 or token, and as wanted role and tier; only in your own file",
    owner: "user",
    // Nobody who may call needs the names of the others.
    toPrintable: (value) => (Array.isArray(value) ? `${value.length} tokens` : undefined),
  },
  metrics: {
    schema: () => z.boolean(),
    env: "FOUNDRY_METRICS",
    default: true,
    about: "Whether serve has GET /metrics: true or false",
    owner: "user",
  },
  host: {
    schema: () => z.string().min(1),
    env: "FOUNDRY_HOST",
    default: "127.0.0.1",
    about: "Where serve listens",
    owner: "user",
  },
  port: {
    schema: () => z.int().min(0).max(65_535),
    env: "FOUNDRY_PORT",
    default: 3_117,
    about: "Where serve listens; 0 for any",
    owner: "user",
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

/** The settings that variables and options may set. */
export const optionSettings = settingNames.filter((name) => settings[name].env !== undefined);

/** The settings that every command of `foundry-cli` takes as options; servers take all. */
export const commandSettings = ["specs_dir", "store", "workspace"] as const satisfies readonly SettingName[];

/** Whether a source may set a setting. */
export function maySet(source: SettingSource, name: SettingName): boolean {
  return settingSources.indexOf(source) >= settingSources.indexOf(settings[name].owner);
}

/** The name of the option for a setting: `specs-dir`. */
export function toOptionName(name: SettingName): string {
  return name.replaceAll("_", "-");
}

/** The option for a setting as it is typed: `--specs-dir`. */
export function toOption(name: SettingName): string {
  return `--${toOptionName(name)}`;
}

/** The value of each setting; undefined where there is neither a value nor a default. */
export type Settings = {
  readonly [K in SettingName]:
    | z.output<ReturnType<(typeof settings)[K]["schema"]>>
    | ((typeof settings)[K]["default"] & undefined);
};
