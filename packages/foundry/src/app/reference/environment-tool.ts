import { dirname, join } from "node:path";
import { action, defineTool, payload, rows, type Tool } from "@foundry-mcp/toolkit";
import { findKind } from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { findProgram } from "../../files/find-program.ts";

/** The workspace of a server. */
export interface EnvironmentDeps {
  /** Returns the location, with `specs_dir` unless the specs are in a database. Throws if there is no workspace. */
  readonly location: () => Promise<Readonly<Record<string, string>>>;
  readonly cwd: string;
  /** The folders in which programs are searched, in the form of the environment variable PATH. */
  readonly path: string | undefined;
}

/** The programs that Foundry uses: Node runs the server, and git supplies the diffs of reviews. */
const requiredPrograms = ["node", "git"];
const optionalPrograms = ["npm", "python3", "grep", "find"];

/** Files at the root of a repository, with the test runner that each file suggests. */
const testRunners = [
  { file: "package.json", runner_name: "npm" },
  { file: "pyproject.toml", runner_name: "pytest" },
  { file: "pytest.ini", runner_name: "pytest" },
  { file: "go.mod", runner_name: "go" },
  { file: "Cargo.toml", runner_name: "cargo" },
  { file: "Makefile", runner_name: "make" },
];

const flag = z.boolean().optional();

/**
 * Creates the tool `environment` of the Python server. The tool looks for programs and files, but runs no program and
 * reads no file, so it reports no versions.
 */
export function createEnvironmentTool({ location, cwd, path }: EnvironmentDeps, unlisted: boolean): Tool {
  const find = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        name === "node" || findProgram(name, { path, workspace: cwd }) !== undefined,
      ]),
    );
  const missingOf = (found: Readonly<Record<string, boolean>>) =>
    Object.keys(found).filter((name) => !found[name]);
  return defineTool({
    name: "environment",
    version: "1.0.0",
    description: "Look for programs",
    unlisted,
    actions: {
      "verify-toolchain": action({
        description: "Look for needed programs",
        input: () => z.object({ include_optional: flag }),
        output: () =>
          payload({
            required: z.record(z.string(), z.boolean()),
            optional: z.record(z.string(), z.boolean()).optional(),
            all_available: z.boolean(),
            missing: z.array(z.string()),
          }),
        readOnly: true,
        cli: false,
        run: ({ include_optional: isOptional = true }) => {
          const required = find(requiredPrograms);
          const optional = isOptional ? { optional: find(optionalPrograms) } : {};
          const missing = missingOf(required);
          return { required, ...optional, all_available: missing.length === 0, missing };
        },
      }),
      "verify-env": action({
        description: "Look for programs",
        input: () => z.object({ check_python: flag, check_git: flag, check_node: flag }),
        output: () =>
          payload({
            programs: z.record(z.string(), z.boolean()),
            all_valid: z.boolean(),
            missing: z.array(z.string()),
            node_version: z.string(),
          }),
        readOnly: true,
        cli: false,
        run: ({ check_python: python = false, check_git: git = true, check_node: node = true }) => {
          const names = [...(python ? ["python3"] : []), ...(git ? ["git"] : []), ...(node ? ["node"] : [])];
          const programs = find(names);
          const missing = missingOf(programs);
          return { programs, all_valid: missing.length === 0, missing, node_version: process.versions.node };
        },
      }),
      "detect-test-runner": action({
        description: "List test runners",
        output: () =>
          payload({
            detected_runners: rows({ runner_name: z.string(), file: z.string() }),
            recommended_default: z.string().nullable(),
          }),
        readOnly: true,
        cli: false,
        run: async () => {
          const { specs_dir: specs } = await location();
          const root = specs === undefined ? cwd : dirname(specs);
          const runners = testRunners.filter(({ file }) => findKind(join(root, file)) === "file");
          return { detected_runners: runners, recommended_default: runners[0]?.runner_name ?? null };
        },
      }),
      init: action({
        description: "Show the workspace",
        output: () => payload({ already_initialized: z.literal(true), created: z.array(z.string()) }),
        readOnly: true,
        cli: false,
        run: async () => ({ ...(await location()), already_initialized: true as const, created: [] }),
      }),
    },
  });
}
