import { describeAnyReply } from "./any-reply.suite.ts";

// Each of the three dialects is tested with 7,000 replies, so that more than 20,000 replies are tested in total.
describeAnyReply(7_000);
