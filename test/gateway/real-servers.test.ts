import { describeRealServers } from "./real-servers.suite.ts";

describeRealServers(["SDK 1"]);
