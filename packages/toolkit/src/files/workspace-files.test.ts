import { tmpdir } from "node:os";
import { asyncCalls } from "./async-calls.ts";
import { serverCallsFor } from "./server-calls.ts";
import { syncCalls } from "./sync-calls.ts";
import { describeWorkspaceFiles } from "./workspace-files.suite.ts";

describeWorkspaceFiles("asyncCalls", asyncCalls);
describeWorkspaceFiles("syncCalls", syncCalls);
describeWorkspaceFiles("serverCallsFor", serverCallsFor(tmpdir()));
