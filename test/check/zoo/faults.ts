import { answerFaults } from "./answer-faults.ts";
import { definitionFaults } from "./definition-faults.ts";
import { envelopeV1Faults } from "./envelope-v1-faults.ts";
import { fidelityFaults } from "./fidelity-faults.ts";
import { pagingFaults } from "./paging-faults.ts";
import { refusalFaults } from "./refusal-faults.ts";
import { shapeFaults } from "./shape-faults.ts";
import type { Faults } from "./zoo-entry.ts";

/** Every way to break a rule that is named in the table of rules. */
export const faults: Faults = {
  ...shapeFaults,
  ...envelopeV1Faults,
  ...definitionFaults,
  ...answerFaults,
  ...refusalFaults,
  ...pagingFaults,
  ...fidelityFaults,
};
