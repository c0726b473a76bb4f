// npm links these launchers when it installs a checkout, which is before the programs are built.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

/** Runs a built program; says how to build it where it is missing. */
module.exports = function launch(name) {
  const program = join(__dirname, "../dist/bin", `${name}.cjs`);
  if (existsSync(program)) return require(program);
  process.stderr.write(`Cannot run ${name}: it is not built yet. Run: npm run build\n`);
  process.exit(1);
};
