import { dialects } from "@foundry-mcp/contract";
import { z } from "zod";
import { parseJson } from "../../files/parse-json.ts";
import { expected, toConfigError, toSchemaError } from "../../servers/config-errors.ts";
import { isGlob } from "./glob.ts";

const switchValue = () => z.boolean(expected("true or false")).optional();
const seconds = () =>
  z
    .number(expected("a number of seconds"))
    .min(0.1, { error: "must be 0.1 or more" })
    .max(3_600, { error: "must be 3600 or less" })
    .optional();

const toolRule = z.strictObject(
  {
    allow: switchValue(),
    name: z
      .string(expected("a text"))
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must have 1 to 64 of A–Z, a–z, 0–9, _ and -" })
      .optional(),
    max_tokens: z.int(expected("a whole number of tokens")).min(0, { error: "must be 0 or more" }).optional(),
    dialect: z.enum(dialects, { error: `must be one of ${dialects.join(", ")}` }).optional(),
    shape: switchValue(),
    timeout: seconds(),
  },
  expected("an object"),
);

const exposure = () => z.enum(["all", "search"], { error: "must be all or search" }).optional();

const loginRule = z.strictObject(
  {
    client_id: z.string(expected("a text")).optional(),
    client_secret: z.string(expected("a text")).optional(),
    scope: z.string(expected("a text")).optional(),
    port: z.int(expected("a port")).min(1, { error: "must be 1 or more" }).max(65_535).optional(),
  },
  expected("an object"),
);

const serverRule = z.strictObject(
  {
    enabled: switchValue(),
    expose: exposure(),
    timeout: seconds(),
    questions: switchValue(),
    login: loginRule.optional(),
    concurrency: z
      .int(expected("a whole number of calls"))
      .min(1, { error: "must be 1 or more" })
      .max(1_000, { error: "must be 1000 or less" })
      .optional(),
  },
  expected("an object"),
);

const section = z.strictObject(
  {
    expose: exposure(),
    drift: z.enum(["off", "warn", "withhold"], { error: "must be off, warn or withhold" }).optional(),
    servers: z.record(z.string(), serverRule, expected("an object of servers by name")).optional(),
    tools: z.record(z.string(), toolRule, expected("an object of tools by name or pattern")).optional(),
  },
  expected("an object"),
);

const fileSchema = z.object({ gateway: section.optional() }, expected("an object"));

/** Returns the valid keys at a path of the section, for the error about an unknown key. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const [, part] = path;
  if (part === "tools") return Object.keys(toolRule.shape);
  return Object.keys(part === "servers" ? serverRule.shape : section.shape);
}

/** The settings for the tools whose names match a pattern. */
export type ToolRule = z.infer<typeof toolRule>;
/** The settings for one upstream. */
export type ServerRule = z.infer<typeof serverRule>;
/** How clients find tools: in the list of tools (`all`), or only with the tool find_tools (`search`). */
export type Exposure = "all" | "search";

/** The section `gateway` of a server file, with its defaults filled in. */
export interface GatewayConfig {
  readonly expose: Exposure;
  /** The action for a tool whose definition is not the approved one: ignore it, warn, or withhold the tool. */
  readonly drift: "off" | "warn" | "withhold";
  readonly servers: Readonly<Record<string, ServerRule>>;
  /**
   * The rules for tools, in the order of the file. If several rules match a tool, later rules override earlier ones.
   */
  readonly tools: readonly (readonly [pattern: string, rule: ToolRule])[];
}

/** The configuration of a gateway without a section `gateway`. */
export const plainConfig: GatewayConfig = { expose: "all", drift: "off", servers: {}, tools: [] };

/** Parses the section `gateway` of a server file; throws a ContractError that names every problem. */
export function parseGatewayConfig(text: string, file: string): GatewayConfig {
  const origin = `the server file ${JSON.stringify(file)}`;
  const { success, data, error } = fileSchema.safeParse(parseJson(text, origin));
  if (!success) throw toSchemaError(origin, error.issues, knownKeys);
  const { expose = "all", drift = "off", servers = {}, tools = {} } = data.gateway ?? {};
  const rules = Object.entries(tools);
  const renamed = rules.find(([pattern, { name }]) => name !== undefined && isGlob(pattern));
  if (renamed !== undefined) {
    const field = `gateway.tools[${JSON.stringify(renamed[0])}].name`;
    const message = `${field} would give several tools one name; name the tool without * and ?`;
    throw toConfigError(origin, [{ field, constraint: "unique", message }]);
  }
  return { expose, drift, servers, tools: rules };
}
