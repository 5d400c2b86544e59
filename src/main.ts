#!/usr/bin/env node
import { dispatch } from './commands/dispatch.ts';

// `guard config print | head` closes the pipe early. The reader may do that, so EPIPE is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Setting the exit code instead of calling exit() lets pending writes to stdout and stderr finish.
process.exitCode = await dispatch(process.argv.slice(2));
