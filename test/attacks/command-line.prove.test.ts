import { describeAttacks, isNoFurtherLeftover } from "./attack.suite.ts";
import { commandsFor } from "./battery.ts";
import { createSampleRepository } from "./sample-repository.ts";
import { openCliSurface } from "./surfaces.ts";

const repository = await createSampleRepository();
const surface = openCliSurface({ cwd: repository.folder, home: repository.home });
describeAttacks(repository, { surface, callsFor: commandsFor, choice: "sharp" }, isNoFurtherLeftover);
