// A state machine as a diagram: boxes on a grid, arrows between them, the passed states highlighted.

import '../../styles/state-diagram.css';

export type DiagramState = {
  readonly id: string;
  readonly words: string;
  readonly column: number;
  readonly row: number;
};

type Props = {
  readonly label: string;
  readonly states: readonly DiagramState[];
  /** From, to. */
  readonly moves: readonly (readonly [string, string])[];
  readonly now: string;
  /** The passed states in order, with or without the current one. */
  readonly past?: readonly string[];
};

const BOX = { width: 118, height: 32 };
const STEP = { x: 150, y: 64 };
const MARGIN = 8;
const HEAD = 6;

type Point = { readonly x: number; readonly y: number };

export const StateDiagram = ({ label, states, moves, now, past = [] }: Props) => {
  const byId = new Map(states.map((state) => [state.id, state]));
  const history = [...past.filter((id, at) => id !== past[at + 1]), now];
  const isTaken = (from: string, to: string): boolean =>
    history.some((id, at) => id === from && history[at + 1] === to);
  const width = Math.max(...states.map(({ column }) => column)) * STEP.x + BOX.width + 2 * MARGIN;
  const height = Math.max(...states.map(({ row }) => row)) * STEP.y + BOX.height + 2 * MARGIN;
  const here = byId.get(now)?.words ?? now;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, also by keyboard
    <figure className="diagram-scroll" tabIndex={0} aria-label={label}>
      <svg className="diagram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}: now ${here}`}>
        {moves.map(([from, to]) => {
          const one = byId.get(from);
          const other = byId.get(to);
          if (!one || !other) return null;
          return <Arrow key={`${from}-${to}`} from={one} to={other} isLit={isTaken(from, to)} />;
        })}
        {states.map((state) => (
          <Box
            key={state.id}
            state={state}
            lit={state.id === now ? 'now' : history.includes(state.id) ? 'past' : undefined}
          />
        ))}
      </svg>
      <figcaption className="hidden-text">
        Status history: {history.map((id) => byId.get(id)?.words ?? id).join(', then ')}.
      </figcaption>
    </figure>
  );
};

const cornerOf = ({ column, row }: DiagramState): Point => ({ x: MARGIN + column * STEP.x, y: MARGIN + row * STEP.y });

const Box = ({ state, lit }: { readonly state: DiagramState; readonly lit: 'now' | 'past' | undefined }) => {
  const { x, y } = cornerOf(state);
  return (
    <g className="diagram-state" data-lit={lit}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={7} />
      <text x={x + BOX.width / 2} y={y + BOX.height / 2}>
        {state.words}
      </text>
    </g>
  );
};

type ArrowProps = { readonly from: DiagramState; readonly to: DiagramState; readonly isLit: boolean };

const Arrow = ({ from, to, isLit }: ArrowProps) => {
  const { line, tip, towards } = pathBetween(from, to);
  return (
    <g>
      <path className="diagram-move" data-lit={isLit || undefined} d={line} />
      <path className="diagram-arrow" data-lit={isLit || undefined} d={headAt(tip, towards)} />
    </g>
  );
};

/** Adjacent boxes of a row are joined at their sides; all other arrows use the top and bottom edges. */
const pathBetween = (from: DiagramState, to: DiagramState): { line: string; tip: Point; towards: Point } => {
  const a = cornerOf(from);
  const b = cornerOf(to);
  if (from.row === to.row && Math.abs(from.column - to.column) === 1) {
    const isRight = to.column > from.column;
    const start = { x: a.x + (isRight ? BOX.width : 0), y: a.y + BOX.height / 2 };
    const tip = { x: b.x + (isRight ? 0 : BOX.width), y: b.y + BOX.height / 2 };
    return { line: `M${start.x} ${start.y}L${tip.x} ${tip.y}`, tip, towards: { x: isRight ? 1 : -1, y: 0 } };
  }
  const isSame = from.row === to.row;
  const isDown = to.row > from.row || isSame;
  const start = { x: a.x + BOX.width / 2, y: a.y + (isDown ? BOX.height : 0) };
  const tip = { x: b.x + BOX.width / 2, y: b.y + (isDown !== isSame ? 0 : BOX.height) };
  const bend = isSame ? 26 : (tip.y - start.y) / 2;
  const end = isSame ? tip.y + 26 : tip.y - bend;
  const line = `M${start.x} ${start.y}C${start.x} ${start.y + bend} ${tip.x} ${end} ${tip.x} ${tip.y}`;
  return { line, tip, towards: { x: 0, y: isSame || !isDown ? -1 : 1 } };
};

const headAt = ({ x, y }: Point, towards: Point): string => {
  const back = { x: x - towards.x * HEAD * 1.4, y: y - towards.y * HEAD * 1.4 };
  const side = { x: (towards.y * HEAD) / 1.6, y: (towards.x * HEAD) / 1.6 };
  return `M${x} ${y}L${back.x + side.x} ${back.y + side.y}L${back.x - side.x} ${back.y - side.y}Z`;
};
