import { useDatabases } from "./use-databases.ts";

useDatabases("two-third");
