import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, type Observation, payloadOf } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";
import { firstDifference } from "./same-answer.ts";

/** Makes a call a second time, where its subject says that this changes nothing. */
export async function probeRepeat(
  { subject, args, observation }: Base,
  { session, ledger }: Probing,
): Promise<void> {
  if (!subject.isIdempotent || !session.answers(subject.tool)) return;
  const again = await session.call(subject.tool, args);
  if (!isAnswered(again)) return;
  if (again.outcome !== observation.outcome) {
    ledger.break("MCP-16", evidenceOf(again, "the same call succeeds the first time and fails the second"));
    return;
  }
  const [first, second] = [unsigned(observation), unsigned(again)];
  const path = firstDifference(first, second);
  ledger.hold(
    "MCP-16",
    path === undefined
      ? undefined
      : evidenceOf(again, "the same call gives another answer the second time", {
          path: path.replace(/^\$/, "$.data"),
          evidence: toEvidence(second),
        }),
  );
}

/** The payload without the id of its call, which some answers repeat. */
function unsigned(observation: Observation): unknown {
  const text = JSON.stringify(payloadOf(observation) ?? null);
  return JSON.parse(text.replaceAll(JSON.stringify(observation.requestId), '"…"')) as unknown;
}
