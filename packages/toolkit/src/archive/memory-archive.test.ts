import { describeArchive } from "./content-archive.suite.ts";
import { createMemoryArchive } from "./memory-archive.ts";

describeArchive("an archive in memory", async (limits) => createMemoryArchive(limits));
