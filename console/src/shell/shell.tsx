// The frame of every page: navigation, search and connection state. Without a session it shows the sign-in page at the
// same URL, so that a link leads to its page after the sign-in.

import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import { LiveProvider, useLive } from '../live.tsx';
import { Button } from '../parts/button.tsx';
import { Icon, Mark } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useIsRateLimited } from '../rate-limit.ts';
import { useDenial, useSession, useSessionControl } from '../session.tsx';
import { chooseTheme, storedTheme, THEMES, type Theme } from '../theme.ts';
import { AlertsButton } from './alerts.tsx';
import { Announcer, announce } from './announcer.ts';
import { HoldBanner } from './hold-banner.tsx';
import { Navigation } from './navigation.tsx';
import { StaleNotice } from './stale-notice.tsx';

/** Loaded after the first page. */
const loadSearch = () => import('./search.tsx');
const Search = lazy(async () => ({ default: (await loadSearch()).Search }));
const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }));
const SessionLimits = lazy(async () => ({ default: (await import('./session-limits.tsx')).SessionLimits }));

const Waiting = () => (
  <div className="sign-in" role="status">
    Signing in…
  </div>
);

export const Shell = () => {
  const { session, isRestoring } = useSessionControl();
  return (
    <>
      <div id={Announcer} className="hidden-text" role="status" aria-live="polite" />
      {session ? (
        // Another key may have another marketplace: nothing of the previous one may stay on the screen.
        <LiveProvider key={`${session.me.apiKeyId}-${session.me.marketplaceId}`}>
          <Frame />
        </LiveProvider>
      ) : (
        <Suspense fallback={<Waiting />}>{isRestoring ? <Waiting /> : <SignIn />}</Suspense>
      )}
    </>
  );
};

const Frame = () => {
  const [isSearching, setSearching] = useState(false);
  const hasSearched = useRef(false);
  hasSearched.current ||= isSearching;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const hasOpenedMenu = useRef(false);
  hasOpenedMenu.current ||= isMenuOpen;
  const { pathname } = useLocation();
  // Every page needs the read scope. One message replaces an error in every section.
  const readDenial = useDenial('read');
  useSearchKeys(() => setSearching(true));
  const takeTyped = useTyped(isSearching);
  useEffect(() => void loadSearch(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page closes the menu
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <Link to="/" className="brand">
          <Mark />
          Holdfast
        </Link>
        <header className="bar">
          <span className="menu-button">
            <Button
              tone="plain"
              icon="menu"
              aria-label="Menu"
              aria-expanded={isMenuOpen}
              onClick={() => setMenuOpen(true)}
            />
          </span>
          <button type="button" className="bar-search" onClick={() => setSearching(true)}>
            <Icon name="search" />
            <span>Search or enter an ID</span>
            <kbd>/</kbd>
          </button>
          <div className="bar-end">
            <LiveMark />
            <AlertsButton />
            <ThemeButton />
          </div>
        </header>
        <Navigation />
        <Main>{readDenial ? <NoReadAccess why={readDenial} /> : <Outlet />}</Main>
      </div>
      <Suspense>{hasOpenedMenu.current ? <MenuDrawer isOpen={isMenuOpen} onChange={setMenuOpen} /> : null}</Suspense>
      <Suspense>
        {hasSearched.current ? (
          <Search isOpen={isSearching} takeTyped={takeTyped} onClose={() => setSearching(false)} />
        ) : null}
      </Suspense>
    </>
  );
};

const NoReadAccess = ({ why }: { readonly why: string }) => (
  <>
    <PageHeader title="No access" />
    <Notice title="You cannot view data" tone="warn">
      <p>{why}</p>
    </Notice>
  </>
);

/** After a change of page the heading takes the focus and is announced. */
const Main = ({ children }: { readonly children: ReactNode }) => {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const { own, idleMinutes } = useSession();
  const isMoving = useNavigation().state !== 'idle';
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of page moves the focus
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const heading = main.current?.querySelector<HTMLElement>('h1');
    (heading ?? main.current)?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    announce(heading?.textContent ?? document.title);
  }, [pathname]);
  return (
    <main id="main" className="main" ref={main} tabIndex={-1} aria-busy={isMoving}>
      <Suspense>
        <SessionLimits idleMinutes={idleMinutes} {...(own ? { own } : {})} />
      </Suspense>
      <HoldBanner />
      <RateLimitNotice />
      <StaleNotice />
      <Suspense>{children}</Suspense>
    </main>
  );
};

const RateLimitNotice = () =>
  useIsRateLimited() ? (
    <div role="status">
      <Notice title="Rate limit reached" tone="warn">
        <p>The page continues automatically within a minute.</p>
      </Notice>
    </div>
  ) : null;

const LIVE_WORDS = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting', refused: 'Not live' } as const;
const LIVE_HELP = {
  connecting: 'Connecting to the event stream.',
  live: 'This page updates with the event stream.',
  lost: 'The connection to the event stream is lost. The page may be out of date. Reconnecting.',
  refused: 'This key has no access to the event stream, so the page does not update. Reload to see changes.',
} as const;

const LiveMark = () => {
  const { state } = useLive();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'live' && state === 'lost') announce(LIVE_HELP.lost);
    if (before.current === 'lost' && state === 'live') announce('Reconnected. The page is up to date.');
    before.current = state;
  }, [state]);
  return (
    <span className="live" data-state={state} title={LIVE_HELP[state]}>
      <span>{LIVE_WORDS[state]}</span>
    </span>
  );
};

const isTyping = ({ target }: Event): boolean =>
  (target as Element).closest?.('input, textarea, select, [contenteditable]') !== null;

/** Keeps what is typed between the opening of the search and the moment when it has the focus. Returns it once. */
const useTyped = (isSearching: boolean): (() => string) => {
  const typed = useRef('');
  useEffect(() => {
    if (!isSearching) return undefined;
    const keep = (event: KeyboardEvent): void => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && !isTyping(event)) typed.current += event.key;
    };
    document.addEventListener('keydown', keep);
    return () => document.removeEventListener('keydown', keep);
  }, [isSearching]);
  return useCallback(() => {
    const text = typed.current;
    typed.current = '';
    return text;
  }, []);
};

const useSearchKeys = (open: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isSlash = event.key === '/' && !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCommand) return;
      event.preventDefault();
      // An open dialog keeps the focus. A message has the same role and does not, nor does a dialog that is fading out.
      if (!document.querySelector(':is([role="dialog"], [role="alertdialog"]):not(.toast, [data-closed])')) open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
};

const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;
const WORDS = { system: 'system', light: 'light', dark: 'dark' } as const;

const ThemeButton = () => {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const label = `Theme: ${WORDS[theme]}. Switch to ${WORDS[next]}.`;
  return (
    <Button
      tone="plain"
      icon={ICONS[theme]}
      aria-label={label}
      title={label}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    />
  );
};
