// The text of an e-mail about alerts of one marketplace: the subject says what and how many, the body lists them. Subjects of alerts come
// from outside, so the HTML escapes them.

import type { SystemAlertKind } from '@holdfast/contract/states.ts';
import type { Alert } from './alert.ts';
import { ALERT_KINDS, counted } from './alert-kinds.ts';

/** Alerts of one kind that a mail lists one by one; more are counted. */
const LISTED_MAX = 20;

export type AlertNews = {
  readonly marketplaceId: string;
  readonly opened: readonly Alert[];
  readonly closed: readonly Alert[];
};

export type AlertMail = { readonly subject: string; readonly text: string; readonly html: string };

type Section = { readonly title: string; readonly lines: readonly string[]; readonly next: string | null };

const byKind = (alerts: readonly Alert[]): [SystemAlertKind, Alert[]][] => [...Map.groupBy(alerts, ({ kind }) => kind)];

const summary = (alerts: readonly Alert[]): string =>
  byKind(alerts)
    .map(([kind, of]) => counted(kind, of.length))
    .join(', ');

const subjectOf = ({ marketplaceId, opened, closed }: AlertNews): string => {
  const parts = [
    ...(opened.length > 0 ? [`new: ${summary(opened)}`] : []),
    ...(closed.length > 0 ? [`ended: ${summary(closed)}`] : []),
  ];
  return `[Holdfast ${marketplaceId}] ${parts.join('; ')}`;
};

const withRest = (lines: readonly string[], count: number): string[] =>
  count > LISTED_MAX ? [...lines, `and ${count - LISTED_MAX} more`] : [...lines];

const sectionsOf = ({ opened, closed }: AlertNews): Section[] => [
  ...byKind(opened).map(([kind, of]) => ({
    title: `New: ${counted(kind, of.length)}`,
    lines: withRest(
      of.slice(0, LISTED_MAX).map(({ subject, message, since }) => `${subject} (since ${since}): ${message}`),
      of.length,
    ),
    // Most messages end with it already.
    next: of.every(({ message }) => message.endsWith(ALERT_KINDS[kind].next)) ? null : ALERT_KINDS[kind].next,
  })),
  ...byKind(closed).map(([kind, of]) => ({
    title: `Ended: ${counted(kind, of.length)}`,
    lines: withRest(
      of.slice(0, LISTED_MAX).map(({ subject, openedAt, closedAt }) => `${subject} (${openedAt} to ${closedAt})`),
      of.length,
    ),
    next: null,
  })),
];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);

const textOf = ({ title, lines, next }: Section): string =>
  [title, ...lines.map((line) => `- ${line}`), ...(next === null ? [] : [`Next: ${next}`])].join('\n');

const htmlOf = ({ title, lines, next }: Section): string => {
  const items = lines.map((line) => `<li>${escaped(line)}</li>`).join('');
  return `<h2>${escaped(title)}</h2><ul>${items}</ul>${next === null ? '' : `<p>Next: ${escaped(next)}</p>`}`;
};

const FOOTER =
  'All alerts: GET /api/v1/alerts, `holdfast alerts`, or the Alerts button in the head of the console (/console).';

export const writeMail = (news: AlertNews): AlertMail => {
  const sections = sectionsOf(news);
  const head = `Marketplace ${news.marketplaceId}`;
  return {
    subject: subjectOf(news),
    text: `${[head, ...sections.map(textOf), FOOTER].join('\n\n')}\n`,
    html: `<p>${escaped(head)}</p>${sections.map(htmlOf).join('')}<p>${escaped(FOOTER)}</p>`,
  };
};
