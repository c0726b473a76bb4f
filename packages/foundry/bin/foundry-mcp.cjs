#!/usr/bin/env node
require("./launch.cjs")("foundry-mcp");
