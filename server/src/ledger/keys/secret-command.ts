// Runs a command of the operator that prints a secret: without a shell, with a time limit, and with output that appears in no message.

import { execFile } from 'node:child_process';

const OUTPUT_BYTES_MAX = 65_536;

type Options = { readonly setting: string; readonly timeoutMs: number };

const reasonOf = (error: Error & { code?: unknown; killed?: boolean; signal?: unknown }, timeoutMs: number): string => {
  if (error.code === 'ENOENT') return 'the program does not exist';
  if (error.code === 'EACCES') return 'the program may not be started by this user';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it printed more than ${OUTPUT_BYTES_MAX} bytes`;
  if (error.killed) return `it took longer than ${timeoutMs / 1_000} seconds and was stopped`;
  return typeof error.code === 'number' ? `it ended with exit code ${error.code}` : `it was ended by ${error.signal}`;
};

/** The printed text without the space around it. The message of an error never contains what the command printed. */
export const readSecretCommand = (commandLine: string, { setting, timeoutMs }: Options): Promise<string> => {
  const [program = '', ...args] = commandLine.split(/ +/);
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX } as const;
    const child = execFile(program, args, options, (error, stdout) => {
      if (error)
        reject(new Error(`${setting} gave no secret: ${reasonOf(error, timeoutMs)}. Run it by hand to see why.`));
      else resolve(stdout.trim());
    });
    child.stdin?.end();
  });
};
