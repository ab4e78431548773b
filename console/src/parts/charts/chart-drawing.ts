// Draws a chart on a canvas, in the colours of the theme, and redraws it when the theme changes.

import type uPlot from 'uplot';
import type { Units } from '../money/amounts.ts';

type Value = Units | number;

type Drawing = {
  readonly days: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (Value | null)[] }[];
  readonly kind: 'bars' | 'lines';
  readonly show: (value: Value) => string;
  readonly onPoint: (at: number | null) => void;
};

const HEIGHT = 190;
const UNITS = 10_000_000;
const DAY_S = 86_400;
/** The smallest top of an axis. Below it the labels would be fractions. */
const TOP_MIN = 5;
/** Line charts show durations. Their axis is marked at whole seconds, minutes, hours and days. */
const SECONDS = [
  1,
  5,
  10,
  30,
  60,
  300,
  600,
  1_800,
  3_600,
  7_200,
  21_600,
  43_200,
  DAY_S,
  2 * DAY_S,
  7 * DAY_S,
  30 * DAY_S,
];

/** Draws into the box until the returned function is called. */
export const drawChart = (box: HTMLElement, drawing: Drawing): (() => void) => {
  let chart: uPlot | null = null;
  let isOver = false;
  const wide = window.matchMedia('(prefers-color-scheme: dark)');

  const draw = async (): Promise<void> => {
    const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
    if (isOver) return;
    chart?.destroy();
    chart = new Plot(optionsOf(Plot, { ...drawing, box }), dataOf(drawing), box);
  };
  // Without the library the table of the chart remains. The next data loads the library again.
  const redraw = (): void => void draw().catch(() => {});
  const resized = new ResizeObserver(() => chart?.setSize({ width: box.clientWidth, height: HEIGHT }));

  redraw();
  resized.observe(box);
  window.addEventListener('holdfast-theme', redraw);
  wide.addEventListener('change', redraw);
  return () => {
    isOver = true;
    resized.disconnect();
    window.removeEventListener('holdfast-theme', redraw);
    wide.removeEventListener('change', redraw);
    chart?.destroy();
  };
};

/** The bars of one day are stacked: each series is drawn with the previous ones added, the last series first. */
const dataOf = ({ series, kind, days }: Drawing): uPlot.AlignedData => {
  const heights = series.map(({ values }) => values.map(heightOf));
  const stacked = heights.map((row, place) =>
    row.map((value, at) =>
      kind === 'lines' ? value : heights.slice(0, place + 1).reduce((sum, each) => sum + (each[at] ?? 0), 0),
    ),
  );
  return [days.map((day) => Date.parse(day) / 1_000), ...stacked.reverse()] as uPlot.AlignedData;
};

const heightOf = (value: Value | null): number | null => {
  if (value === null) return null;
  return typeof value === 'bigint' ? Number(value) / UNITS : value;
};

const optionsOf = (Plot: typeof uPlot, drawing: Drawing & { box: HTMLElement }): uPlot.Options => {
  const { box, kind, series, show, onPoint } = drawing;
  const token = (name: string): string => colourOf(box, `var(--${name})`);
  const axis = { stroke: token('ink-soft'), grid: { stroke: token('line'), width: 1 }, ticks: { show: false } };
  const font = `11px ${getComputedStyle(box).fontFamily}`;
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 6, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    scales: {
      // Half a day of padding, so that the bar of the last day is complete.
      x: { time: true, range: (_, first, last) => [first - DAY_S / 2, last + DAY_S / 2] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, TOP_MIN)] },
    },
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    axes: [
      { ...axis, font, size: 30, grid: { show: false }, values: (_, times) => times.map(dayLabel) },
      kind === 'bars'
        ? { ...axis, font, size: 58, values: (_, values) => values.map(shortNumber) }
        : { ...axis, font, size: 58, incrs: SECONDS, values: (_, values) => values.map((value) => show(value)) },
    ],
    series: [
      {},
      ...series
        .map(({ name }, place) => {
          const colour = token(`chart-${place + 1}`);
          return kind === 'bars'
            ? {
                label: name,
                fill: colour,
                stroke: colour,
                width: 0,
                points: { show: false },
                paths: Plot.paths.bars!({ size: [0.62, 42], radius: 0.12 }),
              }
            : { label: name, stroke: colour, width: 2, points: { show: true, size: 7, fill: colour }, spanGaps: true };
        })
        .reverse(),
    ],
  };
};

/** A canvas has no custom properties, so an element resolves them. */
const colourOf = (box: HTMLElement, value: string): string => {
  const probe = document.createElement('span');
  probe.style.color = value;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const dayLabel = (seconds: number): string => DAY.format(new Date(seconds * 1_000));
const shortNumber = (value: number | null): string => (value === null ? '' : NUMBER.format(value));
