import { describeRealServers } from "./real-servers.suite.ts";

describeRealServers(["SDK 2 legacy", "SDK 2 modern"]);
