import type { Parameter } from "../arguments/parameters.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, isRefused } from "../observe/observation.ts";
import { statedRange } from "./limit-range.ts";
import type { Probing } from "./probe.ts";
import type { ListCalls } from "./walk-both-ways.ts";

const badCursors = ["foundry-check-no-cursor", "eyJmb3VuZHJ5LWNoZWNrIjoxfQ"];
const badLimits = [0, -5];

/** Asks a list for pages by cursors that are none. */
export async function probeBadCursors(list: ListCalls, { name }: Parameter, probing: Probing): Promise<void> {
  for (const cursor of badCursors)
    await expectRefusal(
      list,
      probing,
      "MCP-43",
      { [name]: cursor },
      "a cursor that is none is answered with a page",
    );
}

/** Asks a list for pages of sizes that there are not. */
export async function probeBadLimits(list: ListCalls, limit: Parameter, probing: Probing): Promise<void> {
  const { least } = statedRange(limit.schema);
  // What the schema admits is no bad limit.
  const bad = badLimits.filter((value) => least === undefined || value < least);
  for (const value of bad) {
    const message = `${limit.name} ${value} is answered with a page`;
    await expectRefusal(list, probing, "MCP-47", { [limit.name]: value }, message);
  }
  if (bad.length === 0) probing.ledger.spare("MCP-47", `${list.label} takes every limit, by its schema`);
}

async function expectRefusal(
  { tool, label, args }: ListCalls,
  { session, ledger }: Probing,
  rule: "MCP-43" | "MCP-47",
  bad: Readonly<Record<string, unknown>>,
  message: string,
): Promise<void> {
  const unanswered = `${label} left calls unanswered`;
  if (!session.answers(tool)) return ledger.skip(rule, session.exhausted ?? unanswered, label);
  const observation = await session.call(tool, { ...args, ...bad });
  if (!isAnswered(observation)) return ledger.skip(rule, session.exhausted ?? unanswered, label);
  ledger.hold(rule, isRefused(observation) ? undefined : evidenceOf(observation, message));
}
