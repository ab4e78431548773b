// `npm run audit:packages`: what is shipped, whether the lock file keeps the rules, and, where the registry answers,
// which known weaknesses there are. Ends with 1 when a rule is broken or a weakness is high.

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { consoleLibraries } from '../tools/packages/build-holdfast.ts';
import { type Manifest, packagesOf, shippedOf, withoutIntegrity, wrongWith } from '../tools/packages/packages.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const packages = packagesOf(readJson('package-lock.json'));
const manifests: Manifest[] = ['package.json', ...globSync('*/package.json', { cwd: ROOT }).sort()].map(readJson);
const shipped = shippedOf(packages);

console.log(`Shipped at run time (${shipped.length} of ${packages.length} packages):`);
for (const { name, version, license, optional } of shipped) {
  console.log(`  ${name} ${version} (${license}${optional ? ', on some platforms' : ''})`);
}
const unchecked = withoutIntegrity(packages);
if (unchecked.length > 0) {
  console.log(`\nWithout integrity, because they are builds of tools for other platforms: ${unchecked.length}`);
}

const bundled = consoleLibraries();
console.log(`\nInside the scripts of the console: ${bundled.join(', ')}`);
// Tools of long tests, which are installed with --ignore-scripts.
const outside = packagesOf(readJson('tools/outside-checks/package-lock.json')).map((each) => ({
  ...each,
  dev: true,
  hasInstallScript: false,
}));
const wrong = [...wrongWith(packages, { manifests, bundled }), ...wrongWith(outside, { manifests: [] })];
for (const sentence of wrong) console.log(`✗ ${sentence}`);
if (wrong.length === 0)
  console.log('\n✓ Every dependency is pinned, checked, licensed and runs nothing unknown when installed.');

const asked = spawnSync('npm', ['audit', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const found = (() => {
  try {
    return JSON.parse(asked.stdout) as { metadata?: { vulnerabilities: Record<string, number> } };
  } catch {
    return {};
  }
})();
const counts = found.metadata?.vulnerabilities;
if (counts === undefined) console.log('? The registry did not answer the audit: known weaknesses were not looked up.');
else console.log(`Known weaknesses: ${JSON.stringify(counts)}`);
process.exitCode = wrong.length > 0 || (counts?.high ?? 0) + (counts?.critical ?? 0) > 0 ? 1 : 0;
