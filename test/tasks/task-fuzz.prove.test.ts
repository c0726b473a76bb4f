import { describeTaskFuzz } from "./task-fuzz.suite.ts";

describeTaskFuzz(2_500);
