import type { UnknownRecord } from "@foundry-mcp/contract";
import { programName } from "../../program/program-name.ts";
import { always, ignored, refused } from "./parameters.ts";
import { row, without } from "./row.ts";

const health = ["liveness", "readiness", "check"].map((action) =>
  row("health", action, ["server", "health"], { include_details: always }),
);

const server = [
  {
    ...row("server", "tools", ["server", "tools"], {
      category: ignored,
      tag: ignored,
      include_deprecated: always,
    }),
    warn: ({ category, tag }: UnknownRecord) =>
      category === undefined && tag === undefined
        ? undefined
        : "Tools have no categories and tags here: all tools are listed",
  },
  row("server", "schema", ["server", "schema"], { tool_name: "tool" }),
  row("server", "context", ["server", "context"], {
    include_llm: always,
    include_workflow: always,
    include_workspace: always,
    include_capabilities: always,
  }),
  row("server", "llm-status", ["server", "context"]),
];

const environment = [
  {
    ...row("environment", "get-config", ["server", "context"], { sections: ignored, key: ignored }),
    warn: ({ sections, key }: UnknownRecord) =>
      sections === undefined && key === undefined
        ? undefined
        : "sections and key select nothing here: the answer has all settings of this server, under configuration",
  },
  row("environment", "verify-env", ["environment", "verify-env"], {
    path: always,
    required_packages: refused("Packages are not checked. Leave out required_packages."),
  }),
  ...["detect", "detect-topology"].map((action) =>
    row("environment", action, ["server", "context"], { path: always }),
  ),
  row("environment", "verify-toolchain", ["environment", "verify-toolchain"]),
  row("environment", "detect-test-runner", ["environment", "detect-test-runner"], { path: always }),
  // The workspace of a server exists already, so these calls find nothing to create.
  ...["init", "init-workspace"].map((action) =>
    row("environment", action, ["environment", "init"], { create_subdirs: always }),
  ),
  // A dry run of setup changes nothing and shows the settings.
  {
    ...row("environment", "setup", ["server", "context"], {
      dry_run: always,
      path: always,
      permissions_preset: always,
      create_toml: always,
    }),
    when: { dry_run: true },
  },
  ...without(
    "environment",
    ["setup"],
    `A server does not change the settings of its clients. Run ${programName} init --agent claude in a terminal.`,
  ),
];

const plans = {
  ...row("plan", "create", ["plan", "create"], { template: ignored }),
  warn: ({ template }: UnknownRecord) =>
    template === undefined ? undefined : "There is one template for plans: template selects nothing",
};

const elsewhere = [
  ...without(
    "error",
    ["list", "get", "stats", "patterns", "cleanup"],
    "Failures are not stored. To find a failure in the log of the server, use the request_id of its answer.",
  ),
  ...without(
    "pr",
    ["context", "create"],
    "Foundry does not open pull requests. Get the text with the action export of spec, and open the pull request with the program of your Git host.",
  ),
  ...without(
    "test",
    ["run", "discover", "presets"],
    "Foundry does not run test suites by itself. Set the command of a verify task, and run the command with the action execute of verification.",
  ),
  ...[
    ["intake", ["add", "list", "dismiss"]] as const,
    ["authoring", ["intake-add", "intake-list", "intake-dismiss"]] as const,
  ].flatMap(([tool, actions]) =>
    without(
      tool,
      actions,
      "There is no intake queue. Add an idea to a spec with the action add of task; the parameters priority, labels and discovered_from describe it.",
    ),
  ),
];

/** Calls of the Python server about the server and its environment. */
export const serverCalls = [...health, ...server, ...environment, plans, ...elsewhere];
