// Parses a query in LogQL from standard input, with the packages of a folder: node logql.mjs FOLDER. Errors end it with 1.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const { parser } = createRequire(resolve(process.argv[2], "package.json"))("@grafana/lezer-logql");
const query = readFileSync(0, "utf8").replace(/^#.*\n/gm, "");
const errors = [];
parser.parse(query).iterate({
  enter: (node) => {
    if (node.type.isError) errors.push(query.slice(Math.max(0, node.from - 40), node.to + 40));
  },
});
for (const error of errors) console.log(`cannot be parsed: …${error}…`);
process.exit(errors.length > 0 ? 1 : 0);
