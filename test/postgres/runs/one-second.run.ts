import { useDatabases } from "./use-databases.ts";

useDatabases("one-second");
