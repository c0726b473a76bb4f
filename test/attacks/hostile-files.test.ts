import { describeAttacks } from "./attack.suite.ts";
import { callsFor } from "./battery.ts";
import { createSampleRepository } from "./sample-repository.ts";
import { openStdioSurface } from "./surfaces.ts";

// Some of what the proofs attack, so that a mistake is seen at once: a spec, its history, its state, the archive's drafts.
const kinds = [
  "specs/active/SPEC_ID.json",
  "specs/.foundry/history/SPEC_ID/log.jsonl",
  "specs/.foundry/state",
  "specs/.foundry/archive/tmp",
];

const repository = await createSampleRepository();
const surface = await openStdioSurface({ cwd: repository.folder, home: repository.home });
describeAttacks(repository, { surface, callsFor, choice: "sharp" }, ({ kind }) => kinds.includes(kind));
