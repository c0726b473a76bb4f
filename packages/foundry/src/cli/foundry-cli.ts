#!/usr/bin/env node
import { runCommandLine } from "./run-command-line.ts";

await runCommandLine();
