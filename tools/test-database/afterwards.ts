// What a test has to put away when it ends, last thing first: node's own `after` hooks run first thing first, which
// would remove a folder under the server that still uses it.

export type Hooks = { after(hook: () => Promise<void>): void };

const stacks = new WeakMap<Hooks, AsyncDisposableStack>();

export function afterwards(t: Hooks, putAway: () => unknown): void {
  let stack = stacks.get(t);
  if (stack === undefined) {
    const created = new AsyncDisposableStack();
    stacks.set(t, created);
    t.after(() => created.disposeAsync());
    stack = created;
  }
  stack.defer(async () => {
    await putAway();
  });
}
