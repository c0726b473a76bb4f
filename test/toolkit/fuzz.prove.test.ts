import { describeFuzz } from "./fuzz.suite.ts";

describeFuzz({ inProcess: 20_000, perTransport: 800 });
