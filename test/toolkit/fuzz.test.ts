import { describeFuzz } from "./fuzz.suite.ts";

describeFuzz({ inProcess: 600, perTransport: 60 });
