import { useDatabases } from "./use-databases.ts";

useDatabases("one-first");
