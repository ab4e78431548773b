// A shell function for the examples of pages.

/** Enough of jq for the examples: the machine of the tests may not have it. */
export const JQ = `jq() { "${process.execPath}" -e '
  const args = process.argv.slice(1);
  const path = args.at(-1).split(" == ")[0].split(".").filter(Boolean);
  const wanted = args.at(-1).split(" == ")[1];
  const value = path.reduce((at, name) => at?.[name], JSON.parse(require("node:fs").readFileSync(0, "utf8")));
  if (wanted !== undefined) process.exit(JSON.stringify(value) === wanted ? 0 : 1);
  if (value === undefined) process.exit(1);
  console.log(typeof value === "string" ? value : JSON.stringify(value));
' -- "$@"; }`;
