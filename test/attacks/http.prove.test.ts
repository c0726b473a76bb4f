import { describeAttacks, isNoFurtherLeftover } from "./attack.suite.ts";
import { callsFor } from "./battery.ts";
import { createSampleRepository } from "./sample-repository.ts";
import { openHttpSurface } from "./surfaces.ts";

const repository = await createSampleRepository();
const surface = await openHttpSurface({ cwd: repository.folder, home: repository.home });
describeAttacks(repository, { surface, callsFor, choice: "sharp" }, isNoFurtherLeftover);
