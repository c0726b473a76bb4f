import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import type { Envelope, Remedy, WarningDetail } from "@foundry-mcp/contract";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { settings } from "#built/foundry/config/settings.js";
import { emptyHome, foundryCli } from "../bins.ts";
import { createWorkspace } from "../specs/workspace.ts";
import type { Scenario, ScenarioCall, ScenarioState } from "./scenario.ts";

/** Follows every remedy of a scenario, each in a new copy of its state. Returns the faults. */
export async function runScenario(scenario: Scenario): Promise<readonly string[]> {
  const expected = await inState(scenario, async ({ state, facts, call }) => {
    const failure = await state.registry.call(call.tool, call.args);
    const wanted = typeof scenario.remedies === "function" ? scenario.remedies(facts) : scenario.remedies;
    const found = { code: codeOf(failure), remedies: remediesOf(failure) };
    return isDeepStrictEqual(found, { code: scenario.code, remedies: wanted })
      ? found.remedies.length
      : `${JSON.stringify(found)} instead of ${JSON.stringify({ code: scenario.code, remedies: wanted })}`;
  });
  if (typeof expected === "string") return [expected];
  const faults: string[] = [];
  for (let index = 0; index < expected; index++) {
    const fault = await inState(scenario, (stand) => followRemedy(scenario, stand, index));
    if (fault !== undefined) faults.push(`remedy ${index + 1}: ${fault}`);
  }
  return faults;
}

interface Stand {
  readonly state: ScenarioState;
  readonly facts: Readonly<Record<string, string>>;
  readonly call: ScenarioCall;
}

async function inState<T>(scenario: Scenario, work: (stand: Stand) => Promise<T>): Promise<T> {
  const workspace = await createWorkspace();
  const { folder } = workspace;
  const load = () => loadSettings({ env: {}, cwd: folder });
  const opened = openWorkspace(load, folder);
  const registry = createCliRegistry({ load, cwd: folder, workspace: opened });
  const state: ScenarioState = {
    workspace,
    registry,
    async must(tool, args) {
      const envelope = await registry.call(tool, args);
      if (!envelope.success)
        throw new Error(`${scenario.name}: ${tool} ${JSON.stringify(args)}: ${envelope.error}`);
      return envelope;
    },
  };
  try {
    const facts = (await scenario.setUp?.(state)) ?? {};
    const call = typeof scenario.call === "function" ? scenario.call(facts) : scenario.call;
    return await work({ state, facts, call });
  } finally {
    await opened.close();
    await workspace.remove();
  }
}

/** Follows one remedy. The remedy must not be refused, and must not lead to the same failure again. */
async function followRemedy(scenario: Scenario, stand: Stand, index: number): Promise<string | undefined> {
  const { state, call } = stand;
  const failure = await state.registry.call(call.tool, call.args);
  const remedy = remediesOf(failure)[index];
  if (remedy === undefined) return "it is not there the second time";
  if ("wait" in remedy) return remedy.wait > 0 ? undefined : "there is nothing to wait for";
  if ("setting" in remedy)
    return Object.hasOwn(settings, remedy.setting) ? undefined : `there is no setting ${remedy.setting}`;
  if ("command" in remedy) return runCommand(remedy.command, state.workspace.folder);
  const { tool, action = "", arguments: given, needs = [] } = remedy;
  const missing = needs.filter((name) => scenario.inputs?.[name] === undefined);
  if (missing.length > 0) return `the scenario has no input for ${missing.join(", ")}`;
  const inputs = Object.fromEntries(needs.map((name) => [name, scenario.inputs?.[name]]));
  // The timeout is short, because a wait for an event that never happens in the scenario must not take long.
  const hurry = action === "wait" ? { timeout_seconds: 0.1 } : {};
  const followed = await state.registry.call(tool, { action, ...given, ...inputs, ...hurry });
  if (!followed.success) return `${JSON.stringify(remedy)} is refused: ${followed.error}`;
  const isRead = state.registry.tools.find((each) => each.name === tool)?.findAction(action)?.hints.readOnly;
  if (isRead === true || scenario.needsChoice === true) return undefined;
  const again = await state.registry.call(call.tool, call.args);
  // A search that finds no task is not a failure, and may return the same advice again.
  if (again.success && scenario.code === undefined) return undefined;
  const isSame = again.error === failure.error && isDeepStrictEqual(remediesOf(again), remediesOf(failure));
  return isSame ? `${JSON.stringify(remedy)} leads back to ${again.error ?? codeOf(again)}` : undefined;
}

/** Returns the warning of a success that contains a remedy. */
function warningOf({ meta }: Envelope): WarningDetail | undefined {
  return meta.warning_details?.find(({ context }) => context !== undefined && "remedy" in context);
}

function codeOf(envelope: Envelope): unknown {
  return envelope.success ? warningOf(envelope)?.code : envelope.data["error_code"];
}

function remediesOf(envelope: Envelope): readonly Remedy[] {
  // A search that finds no task succeeds, and its payload contains the advice.
  const source = envelope.success ? (warningOf(envelope)?.context ?? envelope.data) : envelope.data;
  const { remedy, other_remedies: others = [] } = (source ?? {}) as {
    readonly remedy?: Remedy;
    readonly other_remedies?: readonly Remedy[];
  };
  return remedy === undefined ? [] : [remedy, ...others];
}

/** Runs a printed command in the workspace. Only a failure that the command prints counts as a fault. */
function runCommand(command: string, cwd: string): string | undefined {
  const [program, ...words] = command.split(" ");
  if (program !== "foundry-cli") return `${program} is no program of ours`;
  const { PATH } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [foundryCli, ...words], {
    cwd,
    encoding: "utf8",
    env: { PATH, HOME: emptyHome },
  });
  return status === 0 ? undefined : `${command} exits with ${status}: ${stdout}`;
}
