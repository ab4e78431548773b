// The messages between a worker process and the test runner.

export type Failure = {
  /** The suites around the test, and its own name. */
  readonly path: readonly string[];
  readonly error: string;
};

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'passed'; readonly skipped: boolean }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'file-done' /** Of the worker process, not of the programs it started. */;
      readonly cpuMs: number;
    };

export type ToWorker = { readonly kind: 'run'; readonly file: string } | { readonly kind: 'end' };
