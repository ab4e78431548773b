// The package `holdfast`, packed and installed in an empty folder: it has what belongs in it, the same bytes every time, and everything
// works there that works in a checkout.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { after, test } from 'node:test';
import { buildHoldfast } from '../../tools/packages/build-holdfast.ts';
import type { Sbom } from '../../tools/packages/sbom.ts';
import { packFolder } from '../../tools/release/pack.ts';
import { ROOT } from '../tidy/sources.ts';
import { type Installed, installPackage, openFolder, readJson, startTool } from './installed-package.ts';

const PORTS = ['--port', '0', '--sandbox-port', '0'];
const MIB = 1024 * 1024;

/** Shared by the tests of this file. */
let place: string | undefined;
let opened: Promise<Installed> | undefined;
const open = (): Promise<Installed> => {
  place ??= openFolder();
  opened ??= installPackage(place);
  return opened;
};
after(() => place && rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

test('the package has the code, the page, the documentation and the files of a deployment, and nothing else', async (t) => {
  const { installed, tarball } = await open();
  const files = filesOf(installed);
  t.diagnostic(`${files.length} files, ${(statSync(tarball).size / MIB).toFixed(1)} MiB packed`);
  const tops = new Set(files.map((file) => file.split('/')[0]!));
  const folders = ['cli', 'console', 'contract', 'deploy', 'docs', 'sandbox', 'sdk', 'server'];
  const papers = [
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'npm-shrinkwrap.json',
    'package.json',
    'sbom.cdx.json',
  ];
  assert.deepEqual([...tops].toSorted(), [...papers, ...folders].toSorted());
  assert.deepEqual(
    files.filter((file) =>
      /\.(ts|tsx|map|log|pem|key)$|\.test\.|(^|\/)\.env|secrets(-\d+)?\.json|dev-key|\.data/.test(file),
    ),
    [],
  );
  for (const part of folders.filter((name) => existsSync(path.join(ROOT, name, 'src')) && name !== 'console')) {
    const sources = filesOf(path.join(ROOT, part, 'src'))
      .filter((file) => !file.endsWith('.d.ts'))
      .map((file) => `${part}/src/${file.replace(/\.ts$/, '.js')}`);
    assert.deepEqual(
      files.filter((file) => file.startsWith(`${part}/src/`)),
      sources.toSorted(),
    );
  }
  assert.ok(statSync(tarball).size < 8 * MIB);
});

test('every module that its code names is in the package or among its dependencies', async () => {
  const { installed } = await open();
  const { dependencies, optionalDependencies } = readJson<{
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  }>(installed, 'package.json');
  const known = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...builtinModules]);
  const wrong: string[] = [];
  let count = 0;
  // Scripts for browsers load one another from addresses of the server.
  const code = globSync('*/{src,bin}/**/*.js', { cwd: installed }).filter((file) => !file.includes('/browser/'));
  for (const file of code) {
    const text = readFileSync(path.join(installed, file), 'utf8');
    for (const [, name] of text.matchAll(
      /(?:^(?:import|export) (?:[^'"\n;]*? from )?|^\} from |import\(|new URL\()'([^']+)'/gm,
    )) {
      count += 1;
      if (name!.startsWith('node:') || name!.startsWith('http')) continue;
      const bare = name!
        .split('/')
        .slice(0, name!.startsWith('@') ? 2 : 1)
        .join('/');
      const isThere = /^\.|\.js(on)?$/.test(name!) && existsSync(path.resolve(installed, path.dirname(file), name!));
      if (!isThere && !known.has(bare)) wrong.push(`${file}: ${name}`);
    }
    assert.doesNotMatch(text, /'@holdfast\/[a-z]+\/[^']*\.ts'|new URL\('[^']*\.ts'/, file);
  }
  assert.ok(count > 3_000, String(count));
  assert.deepEqual(wrong, []);
});

test('npx holdfast runs a server, pays an order, proves the books, backs up and restores outside the checkout', async (t) => {
  const { folder, npx } = await open();
  const dev = await startTool(t, { folder, args: ['dev', ...PORTS], ready: /Events appear below/ });
  assert.match(dev.said(), new RegExp(`Data +${folder}/\\.data\n`));
  const url = /API +(\S+)\/api\/v1/.exec(dev.said())![1]!;

  const order = await npx(['orders', 'run', '--amount', '20.00', '--release', '--json']);
  assert.equal(order.code, 0, order.said);
  const paid = JSON.parse(order.out);
  assert.equal(JSON.stringify(paid).includes('RELEASED'), true, order.out);
  const proof = await npx(['proof']);
  assert.match(proof.out, /Balanced: every cent is accounted for\./);

  const pages = ['/console', '/docs', '/docs/what-it-is', '/docs/reference/', '/docs/errors', '/docs/openapi.json'];
  for (const page of pages) {
    const answer = await fetch(`${url}${page}`);
    assert.equal(answer.status, 200, page);
    assert.ok((await answer.text()).length > 500, page);
  }
  const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as { info: { version: string } };
  assert.equal((await npx(['--version'])).out.trim(), document.info.version);

  // The PDF is drawn in a thread of its own, whose file has another name here.
  const { key } = readJson<{ key: string }>(folder, '.data/dev-key.json');
  const id = /ord_\w+/.exec(order.out)![0];
  const receipt = await fetch(`${url}/api/v1/orders/${id}/receipt?format=pdf`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(receipt.status, 200);
  assert.equal((await receipt.text()).slice(0, 5), '%PDF-');

  const backup = path.join(folder, 'backup');
  const copied = await npx(['backup', '--to', backup]);
  assert.equal(copied.code, 0, copied.said);
  assert.equal(await dev.stop(), 0);
  for (const args of [
    ['restore', '--from', backup],
    ['audit', 'verify', '--offline'],
    ['wallets', 'rotate-keys'],
    ['doctor'],
  ]) {
    const { code, said } = await npx(args);
    assert.equal(code, 0, `${args.join(' ')}: ${said}`);
  }
});

test('holdfast start runs the server as a service does: log on standard output, and an orderly stop', async (t) => {
  const { folder } = await open();
  const env = { PORT: '0', SANDBOX_PORT: '0', DATA_DIR: path.join(folder, '.data-2') };
  const server = await startTool(t, { folder, args: ['start'], ready: /Holdfast is ready\.[\s\S]*Master key/, env });
  const url = /API +(\S+)/.exec(server.said())![1]!;
  assert.equal((await fetch(`${url}/health`)).status, 200);
  assert.equal(await server.stop(), 0);
  assert.match(server.said(), /"msg":"stopped"/);
});

test('packing twice gives the same bytes', async () => {
  const { tarball } = await open();
  const again = path.join(place!, 'again');
  buildHoldfast(again);
  const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  assert.equal(hashOf(packFolder(again, path.join(place!, 'home'))), hashOf(tarball));
});

test('the list of components has every package that is installed or inside the page, with version, licence and hash', async () => {
  const { installed } = await open();
  const sbom = readJson<Sbom>(installed, 'sbom.cdx.json');
  assert.deepEqual([sbom.bomFormat, sbom.specVersion], ['CycloneDX', '1.6']);
  const { version } = readJson<{ version: string }>(ROOT, 'package.json');
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], ['holdfast', version]);
  const listed = new Set(sbom.components.map((each) => `${each.name}@${each.version}`));
  const { packages } = readJson<{ packages: Record<string, { version: string }> }>(installed, 'npm-shrinkwrap.json');
  const wanted = Object.entries(packages)
    .filter(([at]) => at !== '')
    .map(([at, each]) => `${at.slice(at.lastIndexOf('node_modules/') + 13)}@${each.version}`);
  assert.ok(wanted.length > 150);
  assert.deepEqual(
    wanted.filter((name) => !listed.has(name)),
    [],
  );
  assert.ok([...listed].some((name) => name.startsWith('react-dom@')));
  for (const { name, hashes, licenses } of sbom.components) {
    assert.equal(hashes?.[0]?.alg, 'SHA-512', name);
    assert.equal(licenses?.length, 1, name);
  }
  const refs = new Set(sbom.components.map((each) => each['bom-ref']).concat(sbom.metadata.component['bom-ref']));
  assert.deepEqual(
    sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    [],
  );
});
