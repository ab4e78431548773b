// Prints docs/settings.md from the table of settings. Run it after changing the table; a tidy test compares the two.

import { writeFileSync } from 'node:fs';
import type { Setting } from '../../server/src/config/setting.ts';
import { ROWS, SECTIONS, type Section } from '../../server/src/config/settings.ts';

export const SETTINGS_PAGE = new URL('../../docs/settings.md', import.meta.url);

const INTRODUCTION = `# Settings

Printed from the table in \`server/src/config/\` by \`node tools/print/print-settings.ts\`; do not edit it by hand.

Settings are environment variables. All of them are optional, and an empty one counts as unset. The server reads them once,
when it starts, and refuses to start with a list of everything that is wrong. Names end in their unit (\`_MS\`, \`_S\`, \`_H\`,
\`_DAYS\`). Values of secret settings appear neither in that list
nor in the log.
`;

export function printSettings(): string {
  const sections = (Object.keys(SECTIONS) as Section[]).map(printSection);
  return [INTRODUCTION, ...sections].join('\n');
}

function printSection(section: Section): string {
  const { title, readBy } = SECTIONS[section];
  const rows = ROWS.filter((row) => row.section === section).map(({ setting }) => printRow(setting));
  const head = ['| Setting | Default | Meaning | Takes | Example |', '|---|---|---|---|---|'];
  return [`## ${title}`, '', `Read by ${readBy}.`, '', ...head, ...rows, ''].join('\n');
}

function printRow(setting: Setting<unknown>): string {
  const usual =
    setting.default === null ? `unset: ${setting.unset}` : setting.default ? `\`${setting.default}\`` : 'empty';
  const meaning = setting.secret ? `${setting.meaning} Secret.` : setting.meaning;
  const cells = [`\`${setting.name}\``, usual, meaning, setting.parser.expects, `\`${setting.example}\``];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

if (import.meta.main) writeFileSync(SETTINGS_PAGE, printSettings());
