// Warns before a session ends. The page polls by itself, so the server alone cannot know whether a person is there: a page without a key
// press or a click for the idle time signs out, with a key as well. Tabs of one browser count together.

import { useEffect, useRef, useState } from 'react';
import { isKeyKept, keepUse } from '../kept.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { exactTime } from '../parts/time.tsx';
import { plural } from '../plural.ts';
import { idleWords, type Session, useSessionControl } from '../session.tsx';

const TICK_MS = 1_000;
const IDLE_WARNING_MS = 2 * 60_000;
const END_WARNING_MS = 5 * 60_000;
const INPUTS = ['pointerdown', 'keydown', 'wheel'] as const;
const CHANNEL = 'holdfast.activity';
/** Other tabs hear of activity at most this often. */
const TOLD_EVERY_MS = 5_000;

/** When a person last used the console in this browser, in milliseconds. */
const useLastInput = (idleMinutes: number) => {
  const last = useRef(Date.now());
  useEffect(() => {
    const keep = (): void => {
      if (isKeyKept()) keepUse({ idleMinutes, usedMs: last.current });
    };
    keep();
    const channel = new BroadcastChannel(CHANNEL);
    let toldMs = 0;
    const onInput = (): void => {
      last.current = Date.now();
      if (last.current - toldMs < TOLD_EVERY_MS) return;
      toldMs = last.current;
      keep();
      channel.postMessage('used');
    };
    channel.onmessage = () => {
      last.current = Date.now();
      keep();
    };
    for (const name of INPUTS) window.addEventListener(name, onInput, { capture: true, passive: true });
    return () => {
      for (const name of INPUTS) window.removeEventListener(name, onInput, { capture: true });
      channel.close();
    };
  }, [idleMinutes]);
  return last;
};

/** In steps, because a screen reader announces each change. */
const STEP_S = 15;

const leftWords = (ms: number): string => {
  const seconds = Math.max(STEP_S, Math.ceil(ms / 1_000 / STEP_S) * STEP_S);
  return seconds > 60 ? plural(Math.ceil(seconds / 60), 'minute') : plural(seconds, 'second');
};

export const SessionLimits = ({ own, idleMinutes }: Pick<Session, 'own' | 'idleMinutes'>) => {
  const { signOut } = useSessionControl();
  const last = useLastInput(idleMinutes);
  const [nowMs, setNowMs] = useState(Date.now);
  const idleMs = idleMinutes * 60_000;
  const idleLeftMs = last.current + idleMs - nowMs;
  const endLeftMs = own ? Date.parse(own.expiresAt) - nowMs : Number.POSITIVE_INFINITY;

  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, []);

  const isOver = idleLeftMs <= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the time is over
  useEffect(() => {
    if (isOver) signOut(idleWords(idleMinutes));
  }, [isOver]);

  if (idleLeftMs <= Math.min(IDLE_WARNING_MS, idleMs / 2)) {
    return (
      <Notice title={`You will be signed out in ${leftWords(idleLeftMs)}`} tone="bad">
        <p>The console was not used for a while. Any click or key press keeps you signed in.</p>
        <div className="row">
          <Button onClick={() => setNowMs(Date.now())}>Stay signed in</Button>
        </div>
      </Notice>
    );
  }
  if (own && endLeftMs <= END_WARNING_MS) {
    return (
      <Notice title={`Your session ends at ${exactTime(own.expiresAt)}`} tone="warn">
        <p>Finish what you are doing, then sign in again: this page opens again after the sign-in.</p>
        <div className="row">
          <Button onClick={() => signOut('Sign in again to continue on this page.')}>Sign in again</Button>
        </div>
      </Notice>
    );
  }
  return null;
};
