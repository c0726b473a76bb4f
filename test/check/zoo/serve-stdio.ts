import { StdioTransport } from "./stdio-transport.ts";
import { zoo } from "./zoo.ts";

const [, , name] = process.argv;
const entry = zoo.find((each) => each.name === name);
if (entry === undefined) {
  process.stderr.write(
    `No server of the zoo is called "${name}". There are: ${zoo.map((each) => each.name).join(", ")}\n`,
  );
  process.exitCode = 2;
} else {
  await entry.serve(new StdioTransport());
}
