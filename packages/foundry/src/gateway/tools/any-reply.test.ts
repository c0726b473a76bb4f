import { describeAnyReply } from "./any-reply.suite.ts";

describeAnyReply(300);
