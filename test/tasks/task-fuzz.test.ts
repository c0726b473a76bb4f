import { describeTaskFuzz } from "./task-fuzz.suite.ts";

describeTaskFuzz(150);
