import { describeAnyReply } from "./any-reply.suite.ts";

// In each of the three dialects: more than 20,000 replies together.
describeAnyReply(7_000);
