#!/usr/bin/env node
import { dispatch } from './commands/dispatch.ts';

let lost = 0;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // `guard config print | head` closes the pipe early. The reader may do that, so EPIPE is not a failure.
  if (code === 'EPIPE' || lost > 0) return;
  lost = 1;
  // The error may come after the command has ended.
  process.exitCode ||= lost;
  console.error(`guard: standard output cannot be written: ${code}`);
});

// Setting the exit code instead of calling exit() lets pending writes to stdout and stderr finish.
process.exitCode = (await dispatch(process.argv.slice(2))) || lost;
