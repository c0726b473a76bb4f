import { describeHostile } from "./hostile/check-hostile.ts";

describeHostile(({ quick = false }) => !quick);
